// The set of states against a plain map.
#include "explore/state_set.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace concord::explore {
namespace {

TEST(StateSet, KeepsRowsInTheOrderTheyCame) {
  StateSet set(3);
  const auto insert = [&](const Row& row) { return set.insert(row.data(), StateSet::hash(row.data(), row.size())); };
  EXPECT_EQ(insert({1, 2, 3}), std::pair(0U, true));
  EXPECT_EQ(insert({1, 3, 2}), std::pair(1U, true));
  EXPECT_EQ(insert({1, 2, 3}), std::pair(0U, false));
  EXPECT_EQ(set.size(), 2U);
  Row row(3);
  set.get(1, row.data());
  EXPECT_EQ(row, (Row{1, 3, 2}));
}

// Numbers that do not fit into the bytes so far, and more rows than the table had room for.
TEST(StateSet, GrowsInEveryDirection) {
  std::mt19937 random(7);
  StateSet set(4);
  std::map<Row, std::uint32_t> plain;
  std::vector<Row> order;
  for (int i = 0; i < 200'000; ++i) {
    const unsigned largest = i < 1'000 ? 5 : i < 50'000 ? 400 : i < 100'000 ? 70'000 : 20'000'000;
    set.make_room(largest, largest);
    Row row(4);
    for (Number& it : row) it = static_cast<Number>(random() % 3 == 0 ? random() % largest : random() % 6);
    const auto [number, is_new] = set.insert(row.data(), StateSet::hash(row.data(), row.size()));
    const auto [found, is_new_there] = plain.emplace(row, static_cast<std::uint32_t>(plain.size()));
    ASSERT_EQ(is_new, is_new_there);
    ASSERT_EQ(number, found->second);
    if (is_new) order.push_back(row);
  }
  ASSERT_EQ(set.size(), order.size());
  for (std::uint32_t i = 0; i < set.size(); ++i) {
    Row row(4);
    set.get(i, row.data());
    ASSERT_EQ(row, order[i]);
  }
}

}  // namespace
}  // namespace concord::explore
