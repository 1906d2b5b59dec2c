// A TVP or TVM file as it is written: nothing is looked up, and sets and parameters are not expanded.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.h"
#include "engine/shape/kleene.h"

namespace concord::engine::shape::tvla {

struct Word {
  std::string text;
  base::SourceRange range;
};

// n, at[l], r[n[x],y]
struct Name {
  Word word;
  std::vector<Name> parameters;
  bool has_parameters = false;  // `a[]` is not `a`
  base::SourceRange range;
};

struct SetExpr {
  enum class Kind {
    kNamed,         // `word`
    kListed,        // { names… }
    kMapped,        // { names… : word in parts[0] }
    kSum,           // parts[0], then each of the others added, or taken away
    kIntersection,  // of parts
  };
  SetExpr() = default;
  explicit SetExpr(Kind it) : kind(it) {}

  Kind kind = Kind::kNamed;
  Word word;
  std::vector<Name> names;
  std::vector<SetExpr> parts;
  std::vector<bool> is_minus;  // of a sum, for each part
  base::SourceRange range;
};

// word in set
struct Loop {
  Word word;
  SetExpr set;
};
// The `foreach` around something, outermost first.
using Loops = std::vector<std::shared_ptr<const Loop>>;

struct Form;
using FormPtr = std::shared_ptr<const Form>;

struct Form {
  enum class Kind {
    kValue,
    kAtom,  // name(variables…)
    kStar,  // name*(variables…)
    kPlus,  // name+(variables…)
    kEqual,
    kNotEqual,
    kNot,
    kAnd,  // of two or more
    kOr,
    kImplies,
    kIff,
    kIf,
    kExists,
    kForall,
    kClosure,  // TC(variables[0], variables[1])(variables[2], variables[3]) parts[0]
    kAndEach,  // &/{ parts[0] : loop }
    kOrEach,   // |/{ parts[0] : loop }
  };
  explicit Form(Kind it) : kind(it) {}

  Kind kind;
  Kleene value = Kleene::kFalse;
  Name name;
  std::vector<Word> variables;
  std::vector<FormPtr> parts;
  std::shared_ptr<const Loop> loop;
  base::SourceRange range;
  int height = 1;
};

// ------------------------------------------------------------------------------------------------------------ declarations

struct SetDecl {
  Word name;
  SetExpr members;
};

struct PredicateDecl {
  Name name;
  std::vector<Word> arguments;
  FormPtr definition;  // null: a core predicate
  std::vector<Word> properties;
  base::SourceRange range;
};

struct RuleDecl {
  FormPtr body;
  FormPtr head;
  base::SourceRange range;
};

struct Declaration {
  Loops loops;
  std::variant<SetDecl, PredicateDecl, RuleDecl> node;
};

// ----------------------------------------------------------------------------------------------------------------- actions

// "text" or a name, which is written as what it stands for.
struct Piece {
  std::string text;
  std::optional<Name> name;
  base::SourceRange range;
};

struct FocusDecl {
  Loops loops;
  FormPtr formula;
};

struct MessageDecl {
  FormPtr condition;
  std::vector<Piece> text;
  base::SourceRange range;
};

struct UpdateDecl {
  Loops loops;
  Name name;
  std::vector<Word> arguments;
  FormPtr value;
  bool is_auto = false;  // found from the definition, whatever `value` is
  base::SourceRange range;
};

struct ActionDecl {
  Word name;
  std::vector<Word> parameters;
  std::vector<Piece> title;
  std::vector<FocusDecl> focus;
  FormPtr precondition;  // null: none, as below
  std::vector<MessageDecl> messages;
  bool creates = false;
  FormPtr created_for;
  FormPtr halts;
  std::vector<UpdateDecl> updates;
  FormPtr retained;
};

// ----------------------------------------------------------------------------------------------------------------- program

// action(arguments…), or %assert(assertion).
struct Use {
  Word action;
  std::vector<Name> arguments;
  FormPtr assertion;  // else null
  base::SourceRange range;
};

struct EdgeDecl {
  Word from;
  Use use;
  Word to;
  int atomic = -1;  // the number of the block it is in; -1: none
};

struct ThreadDecl {
  Word name;
  std::vector<EdgeDecl> edges;
};

struct Model {
  bool has_threads = false;  // TVM
  std::vector<Declaration> declarations;
  std::vector<FocusDecl> focus;  // of every action
  std::vector<MessageDecl> messages;
  std::vector<ActionDecl> actions;
  std::vector<ThreadDecl> threads;  // of TVP: one, without a name
  std::vector<Use> claims;
};

}  // namespace concord::engine::shape::tvla
