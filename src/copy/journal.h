// CopyJournal: the file that makes a copy resumable. It holds the plan and, of every segment, the key up to which all
// items are acknowledged by the target. It is replaced as a whole and synced, so that it is there in one piece whenever
// the program or the machine dies.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "base/error.h"
#include "copy/plan.h"
#include "files/folder.h"

namespace keyfold {

// Thread-safe. Segments are moved on by the threads that copy them; saving is the business of one.
class CopyJournal {
 public:
  // A new file; refuses one that is there.
  static Result<std::unique_ptr<CopyJournal>> Begin(const std::string& path, CopyPlan plan);
  static Result<std::unique_ptr<CopyJournal>> Resume(const std::string& path);

  CopyPlan plan() const;
  TablePlan table(size_t table) const;
  SegmentMark segment(size_t table, size_t segment) const;
  CopySpeed speed() const;

  // Of the run that has it now: an option of `copy --resume`.
  void SetSpeed(CopySpeed speed);
  void SetPhase(size_t table, TablePhase phase);
  // All items up to `next` are acknowledged, these among them; an empty `next` is the end of the segment.
  void Advance(size_t table, size_t segment, std::string_view next, uint64_t items, uint64_t bytes);

  // On disk when it returns. Nothing to do where nothing changed.
  Status Save();
  // The copy is done.
  Status Remove();

  const std::string& path() const { return path_; }

 private:
  CopyJournal(std::string path, Folder folder, std::string name, CopyPlan plan)
      : path_(std::move(path)), folder_(std::move(folder)), name_(std::move(name)), plan_(std::move(plan)) {}
  Status Write(const std::string& text) const;

  const std::string path_;
  const Folder folder_;
  const std::string name_;

  mutable std::mutex mutex_;
  CopyPlan plan_;
  bool changed_ = true;
};

// The plan as the file has it, and back.
std::string TextOf(const CopyPlan& plan);
Result<CopyPlan> ReadPlan(const std::string& text);

}  // namespace keyfold
