#include "model/diff/change.h"

#include <fmt/format.h>

#include "json/writer.h"
#include "model/core/unreadable.h"

namespace keyfold::model {
namespace {

using Wait = Call::Wait;

// Collects the calls that make up one change. Used by one thread at a time.
class Changing {
 public:
  Changing(const TableDefinition* current, const TableDefinition& wanted, const ChangeOptions& options)
      : current_(current), wanted_(wanted), options_(options) {}

  Change Make() {
    if (current_ == nullptr) {
      CreateTable();
      return std::move(out_);
    }
    Refuse();
    if (!out_.refused.empty()) return std::move(out_);
    ChangeBilling();
    ChangeClass();
    ChangeStream();
    CreateIndexes();
    ChangeTtl(current_->ttl);
    ChangePitr(current_->pitr);
    DeleteIndexes();  // last: a new index may already serve their patterns
    return std::move(out_);
  }

 private:
  void CreateTable() {
    std::string title = fmt::format("create table {} with key {}", wanted_.name, NameOf(wanted_.key));
    for (const IndexDefinition& index : wanted_.indexes) {
      title += fmt::format(", index {} on {}", index.name, NameOf(index.key));
    }
    Add(std::move(title), "CreateTable", CreateTableBody(wanted_, options_.units), Wait::kTableActive);
    ChangeTtl("");
    ChangePitr(false);
  }

  void Refuse() {
    if (current_->key != wanted_.key) {
      out_.refused.push_back(fmt::format(
          "the table's key is {}, but the model's is {}; a key cannot be changed: apply the model under another table "
          "name and copy the items",
          NameOf(current_->key), NameOf(wanted_.key)));
    }
    for (const IndexDefinition& index : wanted_.indexes) RefuseIndex(index, current_->Find(index.name));
    for (const IndexDefinition& index : current_->indexes) {
      if (index.local && wanted_.Find(index.name) == nullptr) {
        out_.refused.push_back(
            fmt::format("the table has the local index {}, but the model does not; a local index exists as long as its "
                        "table",
                        index.name));
      }
    }
  }

  void RefuseIndex(const IndexDefinition& wanted, const IndexDefinition* current) {
    if (current == nullptr) {
      if (!wanted.local) return;
      out_.refused.push_back(fmt::format("{} is a local index, which can only be created with its table", wanted.name));
    } else if (current->local != wanted.local) {
      out_.refused.push_back(fmt::format("{} is a {} index; give the {} one another name", wanted.name,
                                         current->local ? "local" : "global", wanted.local ? "local" : "global"));
    } else if (current->key != wanted.key) {
      out_.refused.push_back(fmt::format(
          "the key of {} is {}, but the model's is {}; an index cannot be changed: give the new one another name, and "
          "delete the old one once nothing reads it",
          wanted.name, NameOf(current->key), NameOf(wanted.key)));
    } else if (!current->ProjectsAs(wanted)) {
      out_.refused.push_back(fmt::format(
          "{} projects {}, but should project {}; a projection cannot be changed: give the new index another name, "
          "and delete the old one once nothing reads it",
          wanted.name, ProjectionOf(*current), ProjectionOf(wanted)));
    }
  }

  static std::string ProjectionOf(const IndexDefinition& index) {
    if (index.project == Project::kKeys) return "its keys";
    return index.project == Project::kAll ? "everything" : fmt::format("{}", fmt::join(index.included, ", "));
  }

  void ChangeBilling() {
    if (current_->billing == wanted_.billing) return;
    const bool provisioned = wanted_.billing == BillingMode::kProvisioned;
    const std::string body = Body([&](json::Writer& w) {
      w.Member("BillingMode", provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
      if (!provisioned) return;
      WriteUnits(w);
      WriteIndexUnits(w);
    });
    Add(fmt::format("change billing to {}", provisioned ? "provisioned" : "on demand"), "UpdateTable", body,
        Wait::kTableActive);
  }

  void WriteUnits(json::Writer& w) const {
    w.Key("ProvisionedThroughput");
    w.BeginObject();
    w.Member("ReadCapacityUnits", options_.units.read);
    w.Member("WriteCapacityUnits", options_.units.write);
    w.EndObject();
  }

  void WriteIndexUnits(json::Writer& w) const {
    bool first = true;
    for (const IndexDefinition& index : current_->indexes) {
      if (index.local) continue;
      if (first) {
        w.Key("GlobalSecondaryIndexUpdates");
        w.BeginArray();
        first = false;
      }
      w.BeginObject();
      w.Key("Update");
      w.BeginObject();
      w.Member("IndexName", std::string_view(index.name));
      WriteUnits(w);
      w.EndObject();
      w.EndObject();
    }
    if (!first) w.EndArray();
  }

  void ChangeClass() {
    if (current_->table_class == wanted_.table_class) return;
    const bool standard = wanted_.table_class == TableClass::kStandard;
    const std::string body =
        Body([&](json::Writer& w) { w.Member("TableClass", standard ? "STANDARD" : "STANDARD_INFREQUENT_ACCESS"); });
    Add(fmt::format("change the table class to {}", standard ? "standard" : "standard_ia"), "UpdateTable", body,
        Wait::kTableActive);
  }

  // A stream's view type cannot be changed, so the stream is ended and a new one is started.
  void ChangeStream() {
    if (current_->stream == wanted_.stream) return;
    const auto stream_body = [&](Stream stream) {
      return Body([&](json::Writer& w) {
        w.Key("StreamSpecification");
        w.BeginObject();
        w.Member("StreamEnabled", stream != Stream::kOff);
        if (stream != Stream::kOff) w.Member("StreamViewType", ViewTypeOf(stream));
        w.EndObject();
      });
    };
    if (current_->stream != Stream::kOff) {
      Add(fmt::format("disable the stream of {}", ViewTypeOf(current_->stream)), "UpdateTable",
          stream_body(Stream::kOff), Wait::kTableActive);
    }
    if (wanted_.stream != Stream::kOff) {
      Add(fmt::format("enable a stream of {}", ViewTypeOf(wanted_.stream)), "UpdateTable", stream_body(wanted_.stream),
          Wait::kTableActive);
    }
  }

  void CreateIndexes() {
    for (const IndexDefinition& index : wanted_.indexes) {
      const IndexDefinition* current = current_->Find(index.name);
      if (current != nullptr) continue;
      const bool provisioned = wanted_.billing == BillingMode::kProvisioned;
      const std::string body = Body([&](json::Writer& w) {
        w.Key("AttributeDefinitions");
        std::vector<const KeyDefinition*> keys{&current_->key, &index.key};
        for (const IndexDefinition& other : current_->indexes) keys.push_back(&other.key);
        w.Raw(AttributeDefinitionsBody(keys));
        w.Key("GlobalSecondaryIndexUpdates");
        w.BeginArray();
        w.BeginObject();
        w.Key("Create");
        w.Raw(IndexBody(index, provisioned ? &options_.units : nullptr));
        w.EndObject();
        w.EndArray();
      });
      Add(fmt::format("create index {} on {}", index.name, NameOf(index.key)), "UpdateTable", body, Wait::kIndexActive,
          index.name);
    }
  }

  void DeleteIndexes() {
    for (const IndexDefinition& index : current_->indexes) {
      if (index.local || index.deleting || wanted_.Find(index.name) != nullptr) continue;
      if (!options_.delete_indexes) {
        out_.left.push_back(fmt::format("index {} is not in the model; --delete-indexes deletes it", index.name));
        continue;
      }
      const std::string body = Body([&](json::Writer& w) {
        w.Key("GlobalSecondaryIndexUpdates");
        w.BeginArray();
        w.BeginObject();
        w.Key("Delete");
        w.BeginObject();
        w.Member("IndexName", std::string_view(index.name));
        w.EndObject();
        w.EndObject();
        w.EndArray();
      });
      Add(fmt::format("delete index {}", index.name), "UpdateTable", body, Wait::kIndexGone, index.name);
    }
  }

  // DynamoDB allows one TTL change per hour, so it may refuse the second of two in a row.
  void ChangeTtl(const std::string& current) {
    if (current == wanted_.ttl) return;
    const auto add = [&](const std::string& attribute, bool enabled) {
      const std::string body = Body([&](json::Writer& w) {
        w.Key("TimeToLiveSpecification");
        w.BeginObject();
        w.Member("AttributeName", std::string_view(attribute));
        w.Member("Enabled", enabled);
        w.EndObject();
      });
      Add(fmt::format("{} expiry by {}", enabled ? "enable" : "disable", attribute), "UpdateTimeToLive", body,
          Wait::kNone);
    };
    if (!current.empty()) add(current, false);
    if (!wanted_.ttl.empty()) add(wanted_.ttl, true);
  }

  void ChangePitr(bool current) {
    if (current == wanted_.pitr) return;
    const std::string body = Body([&](json::Writer& w) {
      w.Key("PointInTimeRecoverySpecification");
      w.BeginObject();
      w.Member("PointInTimeRecoveryEnabled", wanted_.pitr);
      w.EndObject();
    });
    Add(fmt::format("{} point-in-time recovery", wanted_.pitr ? "enable" : "disable"), "UpdateContinuousBackups", body,
        Wait::kNone);
    out_.calls.back().optional = true;
  }

  template <typename Write>
  std::string Body(Write write) const {
    std::string out;
    json::Writer w(out);
    w.BeginObject();
    w.Member("TableName", std::string_view(wanted_.name));
    write(w);
    w.EndObject();
    return out;
  }

  void Add(std::string title, std::string operation, std::string body, Wait wait, std::string index = {}) {
    out_.calls.push_back(
        {std::move(title), std::move(operation), std::move(body), wait, std::move(index), /*optional=*/false});
  }

  const TableDefinition* const current_;
  const TableDefinition& wanted_;
  const ChangeOptions& options_;
  Change out_;
};

}  // namespace

Change ChangeFrom(const TableDefinition* current, const TableDefinition& wanted, const ChangeOptions& options) {
  return Changing(current, wanted, options).Make();
}

}  // namespace keyfold::model
