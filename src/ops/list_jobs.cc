// ListJobs, an operation of Keyfold's own: the long-running jobs in progress and how far they are. Queued jobs are not
// listed.
#include "ops/handlers.h"
#include "ops/time_member.h"
#include "wire/requests/keyfold.h"

namespace keyfold::ops {

Status ListJobs(Call& call, json::Value request, json::Writer& answer) {
  RETURN_IF_ERROR(wire::Decode<wire::ListJobsRequest>(request));
  answer.BeginObject();
  answer.Key("Jobs");
  answer.BeginArray();
  for (const engine::JobState& job : call.service.jobs ? call.service.jobs->List() : std::vector<engine::JobState>()) {
    answer.BeginObject();
    answer.Member("Kind", engine::NameOf(job.kind));
    answer.Member("TableName", job.table);
    if (!job.id.empty()) answer.Member("Id", job.id);
    answer.Member("Step", job.step);
    answer.Member("Done", job.done);
    if (job.total) answer.Member("Total", *job.total);
    answer.Member("Unit", engine::NameOf(job.unit));
    WriteTime(answer, "StartDateTime", job.started);
    answer.EndObject();
  }
  answer.EndArray();
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
