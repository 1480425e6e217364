// CopyJournal: the file that makes a copy resumable. It holds the plan and, for every segment, the key up to which the
// target has acknowledged all items. It is replaced atomically and synced, so that it is intact whenever the program or
// the machine dies.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "base/mutex.h"
#include "copy/plan.h"
#include "files/folder.h"

namespace keyfold::copy {

// Thread-safe. The copying threads advance segments; one thread saves.
class CopyJournal {
 public:
  // Creates a new file; fails if it exists.
  static Result<std::unique_ptr<CopyJournal>> Begin(const std::string& path, CopyPlan plan);
  static Result<std::unique_ptr<CopyJournal>> Resume(const std::string& path);

  CopyPlan plan() const;
  TablePlan table(size_t table) const;
  SegmentMark segment(size_t table, size_t segment) const;
  CopySpeed speed() const;

  // Sets the speed of the current run: an option of `copy --resume`.
  void SetSpeed(CopySpeed speed);
  void SetPhase(size_t table, TablePhase phase);
  // All items up to `next`, including these, are acknowledged; an empty `next` is the end of the segment.
  void Advance(size_t table, size_t segment, std::string_view next, uint64_t items, uint64_t bytes);

  // The journal is on disk when it returns. Does nothing if nothing changed.
  Status Save();
  // Called when the copy is done.
  Status Remove();

  const std::string& path() const { return path_; }

 private:
  CopyJournal(std::string path, files::Folder folder, std::string name, CopyPlan plan)
      : path_(std::move(path)), folder_(std::move(folder)), name_(std::move(name)), plan_(std::move(plan)) {}
  Status Write(const std::string& text) const;

  const std::string path_;
  const files::Folder folder_;
  const std::string name_;

  mutable Mutex mutex_;
  CopyPlan plan_ GUARDED_BY(mutex_);
  bool changed_ GUARDED_BY(mutex_) = true;
};

// Converts a plan to the file's text and back.
std::string TextOf(const CopyPlan& plan);
Result<CopyPlan> ReadPlan(const std::string& text);

}  // namespace keyfold::copy
