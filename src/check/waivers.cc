#include "check/waivers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "diag/kinds.h"
#include "engine/verdict.h"
#include "plato/walk.h"

namespace concord::check {

using engine::PropertyResult;
using engine::Verdict;

namespace {

template <class Declaration>
void add(std::vector<WaivedItem>& items, const Declaration& declaration) {
  for (const plato::Waiver& waiver : declaration.waivers) items.push_back({&waiver, {declaration.range}});
}

// A statement that was translated may have become several.
WaivedItem& item_of(std::vector<WaivedItem>& items, const plato::Waiver& waiver, base::SourceRange place) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const WaivedItem& it) {
    return waiver.covers && it.waiver->range == waiver.range && it.ranges.front() == place;
  });
  if (found != items.end()) return *found;
  items.push_back({&waiver, {place}});
  return items.back();
}

bool lies_in(base::SourceRange inner, base::SourceRange outer) {
  return inner.file == outer.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

const WaivedItem* waiver_at(const std::vector<WaivedItem>& items, diag::Kind kind, base::SourceRange place) {
  for (const WaivedItem& item : items) {
    if (item.waiver->kind != diag::name(kind)) continue;
    const auto covers = [&](base::SourceRange range) { return lies_in(place, range); };
    if (std::any_of(item.ranges.begin(), item.ranges.end(), covers)) return &item;
  }
  return nullptr;
}

bool is_finding(const PropertyResult& result) {
  return result.verdict == Verdict::kViolated || result.verdict == Verdict::kUnproved;
}

std::string waived_text(const PropertyResult& result, const plato::Waiver& waiver) {
  return fmt::format("waived: {}: {} (\"{}\")", result.property.id, result.message, waiver.reason);
}

void make_unknown(PropertyResult& result, const std::string& break_place) {
  result.verdict = Verdict::kUnknown;
  result.reason = fmt::format("it breaks at {}, which is waived; other places were not looked for", break_place);
  result.message.clear();
  result.location = result.property.claim;
  result.related.clear();
  result.trace = {};
}

}  // namespace

std::vector<WaivedItem> waived_items(const plato::Program& program) {
  std::vector<WaivedItem> items;
  for (const auto& variable : program.variables) add(items, variable);
  for (const auto& class_ : program.classes) {
    for (const auto& field : class_.fields) add(items, field);
  }
  for (const auto& clause : program.clauses) add(items, clause);
  for (const auto& order : program.lock_orders) add(items, order);
  for (const auto& thread : program.threads) add(items, thread);
  for (const auto& procedure : program.procedures) {
    add(items, procedure);
    plato::for_each_stmt(*procedure.body, [&](const plato::Stmt& statement) {
      for (const plato::Waiver& waiver : statement.waivers) {
        WaivedItem& item = item_of(items, waiver, waiver.covers.value_or(statement.range));
        for (const plato::GhostSet& set : statement.sets) item.ranges.push_back(set.range);
      }
    });
  }
  return items;
}

std::vector<base::SourceRange> trusted_blocks(const plato::Program& program) {
  std::vector<base::SourceRange> ranges;
  for (const auto& procedure : program.procedures) {
    plato::for_each_stmt(*procedure.body, [&](const plato::Stmt& statement) {
      const auto* atomic = std::get_if<plato::Atomic>(&statement.node);
      if (atomic && atomic->trusted) ranges.push_back(statement.range);
    });
  }
  return ranges;
}

void apply_waivers(const base::SourceMap& sources, const plato::Program& program, CheckResult& result) {
  for (const base::SourceRange block : trusted_blocks(program)) {
    result.assumptions.push_back(fmt::format("trusted atomic at {}", sources.place(block)));
  }
  const std::vector<WaivedItem> items = waived_items(program);
  std::vector<const WaivedItem*> used;
  std::vector<PropertyResult> kept;
  std::string waived_ids;
  for (PropertyResult& finding : result.results) {
    const WaivedItem* by_claim = waiver_at(items, finding.property.kind, finding.property.claim);
    const WaivedItem* by_break = waiver_at(items, finding.property.kind, finding.location);
    const WaivedItem* item = by_claim ? by_claim : by_break;
    if (!is_finding(finding) || !item) {
      kept.push_back(std::move(finding));
      continue;
    }
    used.push_back(item);
    result.assumptions.push_back(waived_text(finding, *item->waiver));
    waived_ids += (waived_ids.empty() ? "" : ", ") + finding.property.id;
    result.waived.push_back(finding);
    result.waived.back().waiver = item->waiver->reason;
    if (by_claim) continue;
    make_unknown(finding, sources.place(finding.location));
    kept.push_back(std::move(finding));
  }
  for (const WaivedItem& item : items) {
    if (std::find(used.begin(), used.end(), &item) != used.end()) continue;
    result.assumptions.push_back(fmt::format("nowarn {} at {} (\"{}\") waived nothing", item.waiver->kind,
                                             sources.place(item.ranges.front()), item.waiver->reason));
  }
  for (PropertyResult& verified : kept) {
    if (verified.verdict != Verdict::kVerified || waived_ids.empty()) continue;
    verified.reason = "depends on what is waived: " + waived_ids;
  }
  result.results = std::move(kept);
}

}  // namespace concord::check
