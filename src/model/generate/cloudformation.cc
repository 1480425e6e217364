// The table as an AWS CloudFormation template.
#include "json/writer.h"
#include "model/diff/definition.h"
#include "model/generate/code.h"
#include "model/generate/languages.h"
#include "model/generate/literal.h"

namespace keyfold::model {
namespace {

void WriteMember(json::Writer& w, std::string_view name, std::string_view member, std::string_view text) {
  w.Key(name);
  w.BeginObject();
  w.Member(member, text);
  w.EndObject();
}

// The CreateTable request as resource properties: a stream without StreamEnabled, and the settings that need separate
// API calls.
std::string PropertiesOf(TableDefinition table) {
  const Stream stream = std::exchange(table.stream, Stream::kOff);
  std::string out = CreateTableBody(table, {});
  out.pop_back();  // removes the closing brace: more members follow
  std::string more;
  json::Writer w(more);
  w.BeginObject();
  if (stream != Stream::kOff) WriteMember(w, "StreamSpecification", "StreamViewType", ViewTypeOf(stream));
  if (!table.ttl.empty()) {
    w.Key("TimeToLiveSpecification");
    w.BeginObject();
    w.Member("AttributeName", std::string_view(table.ttl));
    w.Member("Enabled", true);
    w.EndObject();
  }
  w.Key("PointInTimeRecoverySpecification");
  w.BeginObject();
  w.Member("PointInTimeRecoveryEnabled", table.pitr);
  w.EndObject();
  w.EndObject();
  return out + ',' + more.substr(1);
}

void WriteOutput(json::Writer& w, std::string_view name, std::string_view value) {
  w.Key(name);
  w.BeginObject();
  w.Key("Value");
  w.Raw(value);
  w.EndObject();
}

}  // namespace

std::string WriteCloudFormation(const Model& model, std::string_view origin, bool yaml) {
  const TableDefinition table = DefinitionOf(model);
  const std::string resource = Cased(Case::kPascal, table.name) + "Table";
  std::string quoted;
  json::AppendQuoted(quoted, resource);
  std::string out;
  json::Writer w(out);
  w.BeginObject();
  w.Member("AWSTemplateFormatVersion", "2010-09-09");
  w.Member("Description", origin);
  w.Key("Resources");
  w.BeginObject();
  w.Key(resource);
  w.BeginObject();
  w.Member("Type", "AWS::DynamoDB::Table");
  // The table outlives the stack that created it.
  w.Member("DeletionPolicy", "Retain");
  w.Member("UpdateReplacePolicy", "Retain");
  w.Key("Properties");
  w.Raw(PropertiesOf(table));
  w.EndObject();
  w.EndObject();
  w.Key("Outputs");
  w.BeginObject();
  WriteOutput(w, "TableName", "{\"Ref\":" + quoted + '}');
  WriteOutput(w, "TableArn", "{\"Fn::GetAtt\":[" + quoted + ",\"Arn\"]}");
  if (table.stream != Stream::kOff) WriteOutput(w, "StreamArn", "{\"Fn::GetAtt\":[" + quoted + ",\"StreamArn\"]}");
  w.EndObject();
  w.EndObject();
  const std::string text = LaidOut(out, yaml ? Layout::kYaml : Layout::kJson);
  return yaml ? "# " + std::string(origin) + ".\n" + text + '\n' : text + '\n';
}

}  // namespace keyfold::model
