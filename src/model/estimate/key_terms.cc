#include "model/estimate/key_terms.h"

#include <algorithm>

namespace keyfold::model {

KeyTerms::KeyTerms(const Model& model) {
  for (const Entity& entity : model.entities) AddEntity(entity);
  for (const Entity& entity : model.entities) {
    Terms& identity = identities_.emplace_back(Of(model.table.pk, entity));
    const Terms sort = Of(model.table.sk, entity);
    identity.insert(identity.end(), sort.begin(), sort.end());
    Sort(identity);
    for (const Term term : identity) terms_[term].identifies = true;
  }
}

void KeyTerms::AddEntity(const Entity& entity) {
  for (const auto* keys : {&entity.keys, &entity.native_keys}) {
    for (const KeyTemplate& key : *keys) {
      for (const TemplatePart& part : key.value.parts) {
        if (IsTerm(part)) Add(part.text, CalendarOf(part));
      }
    }
  }
  for (const Per& per : entity.per) {
    for (const std::string& attribute : per.attributes) Add(attribute, Format::kPlain);
  }
}

void KeyTerms::Add(std::string_view attribute, Format calendar) {
  if (ids_.try_emplace({attribute, calendar}, static_cast<Term>(terms_.size())).second)
    terms_.push_back({attribute, calendar});
}

Terms KeyTerms::Of(const KeySide& side, const Entity& entity) const {
  Terms terms;
  for (const std::string& attribute : side) {
    const KeyTemplate* key = entity.FindKey(attribute);
    if (key == nullptr) continue;
    for (const TemplatePart& part : key->value.parts) {
      if (IsTerm(part)) terms.push_back(Of(part));
    }
  }
  Sort(terms);
  return terms;
}

std::optional<Term> KeyTerms::Find(std::string_view attribute) const {
  const auto it = ids_.find({attribute, Format::kPlain});
  return it != ids_.end() ? std::optional(it->second) : std::nullopt;
}

std::string KeyTerms::TextOf(Term term) const {
  const std::string name(NameOf(term));
  return IsCalendar(term) ? FormatName(terms_[term].calendar, 0) + " of " + name : name;
}

double KeyTerms::SecondsOf(Term term) const {
  constexpr double kDay = 86'400;
  switch (terms_[term].calendar) {
    case Format::kYear:
      return 365 * kDay;
    case Format::kMonth:
      return 365 * kDay / 12;
    case Format::kDay:
      return kDay;
    case Format::kHour:
      return 3600;
    default:
      return 0;
  }
}

bool KeyTerms::Fixes(const Terms& given, Term wanted) const {
  if (std::binary_search(given.begin(), given.end(), wanted)) return true;
  if (!IsCalendar(wanted)) return false;
  // The time itself, or a finer part of it.
  return std::any_of(given.begin(), given.end(), [&](Term term) {
    return terms_[term].attribute == terms_[wanted].attribute && SecondsOf(term) < SecondsOf(wanted);
  });
}

bool KeyTerms::Fixes(const Terms& given, const Terms& wanted) const {
  return std::all_of(wanted.begin(), wanted.end(), [&](Term term) { return Fixes(given, term); });
}

bool KeyTerms::FixesShard(const Terms& given, const Entity& entity) const {
  if (!entity.shard || !entity.shard->hash_of) return false;
  const std::optional<Term> hashed = Find(*entity.shard->hash_of);
  return hashed && Fixes(given, *hashed);
}

void KeyTerms::Sort(Terms& terms) {
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
}

uint32_t ShardsIn(const Entity& entity, const KeySide& side) {
  uint32_t shards = 1;
  for (const std::string& attribute : side) {
    const KeyTemplate* key = entity.FindKey(attribute);
    if (key == nullptr) continue;
    for (const TemplatePart& part : key->value.parts) {
      if (part.kind == TemplatePart::Kind::kShard) shards = std::max(shards, part.shards);
    }
  }
  return shards;
}

}  // namespace keyfold::model
