// Sample data from a model: objects of all entities that refer to each other as the model says. Children have their
// parents' values, copies those of their sources, guards stand beside what they guard; an attribute that is another
// entity's key has a value that one of its objects has.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/sample/object.h"
#include "model/sample/values.h"

namespace keyfold::model {

struct SampleOptions {
  uint64_t seed = 1;
  std::optional<uint64_t> items = {};  // about so many; nothing: a few of each entity
  int64_t now_ms = 0;
  uint64_t item_bytes_max = 8192;  // padding goes no further
  bool expired = true;             // some items' time to live is over
};

// A fixed present, ten minutes into a month, for data that is the same every day.
inline constexpr int64_t kSamplePresentMs = 1'772'323'800'000;  // 2026-03-01T00:10:00Z

// One thread at a time. The model outlives it.
class Sampler {
 public:
  Sampler(const Model&, const SampleOptions&);

  // All objects, parents before children. The first parent of every kind has many children, the second none.
  std::vector<SampleObject> MakeAll();

  // One more of the entity, unlike all others; values in `given` stand. Where that cannot be, nothing, or with
  // `replace` one with the key of another.
  std::optional<SampleObject> MakeOne(EntityId, const InputValues& given, bool replace);

  SampleValues& values() { return values_; }

 private:
  // How an attribute of an entity gets its value.
  enum class Source : uint8_t {
    kAny,
    kNth,      // one after the other within a parent
    kCounted,  // one after the other within the table
    kRefers,   // a value that the owner's objects have
    kExpiry,
  };
  struct Kind {
    bool guard = false;
    bool raw_identity = false;    // a copy has a key that this one's does not hold, so equal keys are a mistake to show
    std::vector<Source> sources;  // by attribute
    std::vector<std::string> group;  // attributes that several objects share, where there is no parent
  };

  void Reset();
  void FindOwners();
  void FindSources(EntityId);
  bool IsCounted(EntityId owner, const std::string& attribute) const;
  void OrderEntities();
  void Visit(EntityId, std::vector<uint8_t>& state);

  void MakeEntity(EntityId, uint64_t roots);
  void MakeRoots(EntityId, uint64_t roots);
  void MakeChildren(EntityId);
  void MakeCopies(EntityId);
  void MakeGuards(EntityId);
  void MakeGuardsOf(EntityId guard, EntityId guarded, const Attribute&);
  uint64_t ManyOf(EntityId, double most) const;
  bool HasOwnAttributes(const Entity& copy) const;
  void AddFromSource(const Entity& copy, InputValues& given);
  InputValues FromParent(const SampleObject& parent, const Entity& child) const;

  std::optional<SampleObject> Make(EntityId, const InputValues& given, uint64_t ordinal, bool replace = false);
  std::optional<std::string> MakeValue(EntityId, size_t attribute, uint64_t ordinal, uint64_t attempt);
  std::string IdentityOf(const SampleObject&) const;
  std::vector<std::string> UniquesOf(const SampleObject&) const;
  void Pad(SampleObject&) const;
  void Keep(SampleObject object);

  const Model& model_;
  const SampleOptions options_;
  SampleValues values_;
  std::vector<Kind> kinds_;                 // by entity
  std::map<std::string, EntityId> owners_;  // by attribute
  std::vector<EntityId> order_;             // what others refer to first
  std::vector<SampleObject> made_;
  std::vector<std::vector<size_t>> by_entity_;     // positions in made_
  std::map<std::string, uint64_t> counters_;       // of kCounted, by attribute
  std::vector<std::set<std::string>> identities_;  // by entity
  std::set<std::string> uniques_;
  uint64_t later_ = 0;  // objects made one by one
};

}  // namespace keyfold::model
