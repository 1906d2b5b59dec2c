#include <gtest/gtest.h>

#include "base/check.h"
#include "frontend/java/import.h"

namespace concord::frontend::java {
namespace {

Import import(const std::string& json) {
  return import_json(
      json, [](std::size_t number, const std::string&, std::size_t) { return static_cast<std::uint32_t>(number) + 5; });
}

// A document with one class A { int f = INIT; }.
std::string document(const std::string& init, const std::string& tail = "") {
  return R"({"format":1,"files":[{"path":"A.java","size":100}],"errors":[],
    "types":[{"kind":"Primitive","primitive":"Int","text":"int"},{"kind":"Class","symbol":0,"text":"A"}],
    "symbols":[{"kind":"Class","name":"A","qualified":"A","type":1,"flags":["public","from_source"],"members":[1],
      "range":[0,6,7]},{"kind":"Field","name":"f","owner":0,"type":0}],
    "units":[{"file":0,"comments":[[0,5,true]],"classes":[{"at":[0,90],"symbol":0,"body":[8,90],
      "members":[{"k":"Field","at":[10,20],"symbol":1,"init":)" +
         init + R"(}]}]}],"unchecked":[[0,1,2]],"stub_files":[0])" + tail + "}";
}

TEST(JavaImport, ReadsADocument) {
  const Unit unit =
      import(document(R"({"k":"Literal","at":[14,15],"type":0,"constant":"7","kind":"Int","value":"7"})")).unit;
  ASSERT_EQ(unit.classes.size(), 1U);
  EXPECT_EQ(unit.symbols[0].range, (SourceRange{5, 6, 7}));
  EXPECT_TRUE(unit.symbols[0].is_public);
  const auto& field = std::get<FieldDecl>(unit.classes[0]->members.at(0));
  EXPECT_EQ(std::get<Literal>(field.init->node).value, "7");
  EXPECT_EQ(field.init->range, (SourceRange{5, 14, 15}));
  EXPECT_TRUE(unit.comments.at(0).is_line);
  EXPECT_EQ(unit.stub_files.at(0), 5U);
}

TEST(JavaImport, ReadsErrors) {
  const Import result =
      import(R"({"format":1,"files":[{"path":"A","size":9}],"errors":[{"at":[0,2,3],"message":"m"},{"message":"n"}]})");
  ASSERT_EQ(result.errors.size(), 2U);
  EXPECT_EQ(result.errors[0].range, (SourceRange{5, 2, 3}));
  EXPECT_FALSE(result.errors[1].range);
}

TEST(JavaImport, TakesNothingMalformed) {
  const std::vector<std::string> malformed = {
      "",
      "{",
      "[]",
      "{}",
      "\xff\xfe",
      R"({"format":2,"files":[],"errors":[]})",
      R"({"format":1,"files":[3],"errors":[]})",
      R"({"format":1,"files":[],"errors":[{"at":[0,1,2],"message":"m"}]})",
      R"({"format":1,"files":[],"errors":[]})",
      document("null"),
      document("[]"),
      document(R"({"k":"Literal","at":[14,15],"kind":"Number"})"),
      document(R"({"k":"Nothing","at":[14,15]})"),
      document(R"({"at":[14,15]})"),
      document(R"({"k":"Literal","kind":"Int"})"),
      document(R"({"k":"Name","at":[14,15],"symbol":2})"),
      document(R"({"k":"Name","at":[14,15],"symbol":-2})"),
      document(R"({"k":"Name","at":[14,15],"symbol":"f"})"),
      document(R"({"k":"Name","at":[14,15],"symbol":1,"type":99999999999})"),
      document(R"({"k":"Name","at":[14,13],"symbol":1})"),
      document(R"({"k":"Name","at":[14,101],"symbol":1})"),
      document(R"({"k":"Name","at":[14],"symbol":1})"),
      document(R"({"k":"Binary","at":[14,15],"op":"Add","left":{"k":"Name","at":[1,2],"symbol":1}})"),
      document(R"({"k":"Lambda","at":[14,15]})"),
      document(R"({"k":"Name","at":[14,15],"symbol":1})", "x"),
  };
  for (const std::string& text : malformed) EXPECT_THROW(import(text), base::InternalError) << text;
}

}  // namespace
}  // namespace concord::frontend::java
