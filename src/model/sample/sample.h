// Sample data for a model: objects of all entities that refer to each other as the model declares. Children have their
// parents' values, copies those of their sources, and guards exist for what they guard. An attribute that is another
// entity's key has the value of one of that entity's objects.
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
  std::optional<uint64_t> items = {};  // approximate; nullopt for a few of each entity
  int64_t now_ms = 0;
  uint64_t item_bytes_max = 8192;  // padding stops here
  bool expired = true;             // some items have expired
};

// A fixed current time, ten minutes into a month, for data that is the same every day.
inline constexpr int64_t kSamplePresentMs = 1'772'323'800'000;  // 2026-03-01T00:10:00Z

// Used by one thread at a time. The model must outlive it.
class Sampler {
 public:
  Sampler(const Model&, const SampleOptions&);

  // Makes all objects, parents before children. The first parent of every kind has many children, the second has none.
  std::vector<SampleObject> MakeAll();

  // Makes one more object of the entity, distinct from all others, with the values in `given`. If that is not possible,
  // returns nullopt or, with `replace`, an object with the key of another.
  std::optional<SampleObject> MakeOne(EntityId, const InputValues& given, bool replace);

  SampleValues& values() { return values_; }

 private:
  // How an attribute of an entity gets its value.
  enum class Source : uint8_t {
    kAny,
    kNth,      // the n-th value within a parent
    kCounted,  // the n-th value within the table
    kRefers,   // a value of one of the owner's objects
    kExpiry,
  };
  struct Kind {
    bool guard = false;
    // a copy's key uses an attribute that this key lacks, so equal keys are a mistake to show
    bool raw_identity = false;
    std::vector<Source> sources;  // by attribute
    // By attribute: the number of attributes before it that get values in the same way. Each starts at another value:
    // an item that refers to two of a kind then seldom refers to the same one twice, which would hide swapped keys.
    std::vector<uint64_t> starts;
    std::vector<std::string> group;  // attributes that several objects share, if there is no parent
  };

  void Reset();
  void FindOwners();
  void FindSources(EntityId);
  bool IsPeer(EntityId owner, EntityId id) const;
  bool IsCounted(EntityId owner, const std::string& attribute) const;
  bool IsBelow(EntityId, EntityId ancestor) const;
  bool HasOwn(const Entity&, EntityId parent, const std::string& attribute) const;
  std::map<std::string, std::string> NamesInChild(const Entity& parent, const Entity& child) const;
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
  std::vector<EntityId> order_;             // referenced entities first
  std::vector<SampleObject> made_;
  std::vector<std::vector<size_t>> by_entity_;     // positions in made_
  std::map<std::string, uint64_t> counters_;       // for kCounted, by attribute
  std::vector<std::set<std::string>> identities_;  // by entity
  std::set<std::string> uniques_;
  uint64_t later_ = 0;  // number of MakeOne calls
};

}  // namespace keyfold::model
