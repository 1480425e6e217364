// Tests an export's note, its keys and names, and its data files: parts, blocks, checksums, and a bucket that fails.
#include "transfer/layout/export.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "store/row_key.h"
#include "testing/files/folder.h"
#include "testing/transfer/bucket.h"
#include "transfer/bucket/folder_bucket.h"
#include "transfer/export/export_files.h"

namespace keyfold::transfer {
namespace {

Export SomeExport() {
  Export made;
  made.id = "01715094384000-73d8d5bc";
  made.order = {.table = "t",
                .time = 5,
                .bucket = "b",
                .prefix = "p",
                .bucket_owner = "123456789012",
                .encryption = "KMS",
                .encryption_key = "k",
                .format = DataFormat::kIon,
                .kind = ExportOrder::Kind::kIncremental,
                .period = ExportPeriod{.from = 1, .to = 2, .view = ExportPeriod::View::kNewImage},
                .token = "tok"};
  made.table_id = 3;
  made.table_uuid = "u";
  made.from = 4;
  made.time = 5;
  made.latest = true;
  made.stem = "abcdefghijklmnop";
  made.status = Export::Status::kFailed;
  made.started = 6;
  made.ended = 7;
  made.items = 8;
  made.billed_bytes = 9;
  made.failure_code = "S3NoSuchBucket";
  made.failure_message = "m";
  return made;
}

TEST(ExportNote, HasEveryField) {
  const Export made = SomeExport();
  EXPECT_EQ(DecodeExport(EncodeExport(made)), made);
  EXPECT_EQ(DecodeExport(EncodeExport({})), Export{});
  const std::string bytes = EncodeExport(made);
  for (size_t i = 0; i < bytes.size(); ++i) EXPECT_FALSE(DecodeExport(bytes.substr(0, i))) << i;
  EXPECT_FALSE(DecodeExport(bytes + "x"));
  EXPECT_FALSE(DecodeExport("\x02" + bytes.substr(1))) << "a newer version";
}

TEST(ExportLayout, NamesAreDistinctAndBeginWithTheStem) {
  const ExportLayout layout(SomeExport());
  std::set<std::string> names;
  for (size_t i = 0; i < 10'000; ++i) {
    const std::string key = layout.DataKey(i);
    ASSERT_TRUE(key.starts_with("p/AWSDynamoDB/data/abcdefghijklmnop")) << key;
    ASSERT_EQ(key.size(), std::string("p/AWSDynamoDB/data/").size() + 26 + std::string(".ion.gz").size());
    names.insert(key);
  }
  EXPECT_EQ(names.size(), 10'000u);
  EXPECT_NE(MakeExportStem(1, 2), MakeExportStem(2, 1));
  EXPECT_EQ(MakeExportStem(UINT64_MAX, 0), "77777777aaaaaaaa");
}

// Fails at the n-th write.
class FailingBucket final : public Bucket {
 public:
  FailingBucket(Bucket& bucket, int writes) : bucket_(bucket), left_(writes) {}
  Result<std::vector<Object>> List(std::string_view prefix) override { return bucket_.List(prefix); }
  Result<std::unique_ptr<files::ByteSource>> Read(std::string_view key) override { return bucket_.Read(key); }
  Result<std::unique_ptr<files::ByteSink>> Write(std::string_view key, std::string* etag) override {
    ASSIGN_OR_RETURN(std::unique_ptr<files::ByteSink> sink, bucket_.Write(key, etag));
    return std::unique_ptr<files::ByteSink>(std::make_unique<Sink>(*this, std::move(sink)));
  }
  Status Remove(std::string_view key) override { return bucket_.Remove(key); }
  Status RemoveUnfinished(std::string_view folder) override { return bucket_.RemoveUnfinished(folder); }
  std::string Name() const override { return bucket_.Name(); }

 private:
  static constexpr Rule<"no more"> kNoMore{"test-no-more", Kind::kInternal};
  struct Sink final : files::ByteSink {
    Sink(FailingBucket& bucket, std::unique_ptr<files::ByteSink> sink) : of(bucket), below(std::move(sink)) {}
    Status Write(std::string_view bytes) override {
      if (of.left_-- <= 0) return kNoMore();
      return below->Write(bytes);
    }
    Status Finish() override { return below->Finish(); }
    FailingBucket& of;
    const std::unique_ptr<files::ByteSink> below;
  };

  Bucket& bucket_;
  int left_;
};

class ExportFilesTest : public testing::Test {
 protected:
  ExportFilesTest() {
    std::filesystem::create_directories(root.path() + "/b");
    bucket = *OpenFolderBucket(root.path(), "b");
    Export made;
    made.id = "id";
    made.stem = "abcdefghijklmnop";
    layout.emplace(made);
  }
  // A line of 100 bytes for each of `keys` row keys, in key order.
  static std::vector<std::pair<std::string, std::string>> Lines(size_t keys) {
    std::map<std::string, std::string> lines;
    for (size_t i = 0; i < keys; ++i) {
      std::string line = "line " + std::to_string(i);
      line.resize(99, '.');
      lines.emplace(store::RowKey(1, 0, "key " + std::to_string(i), "").bytes(), line + "\n");
    }
    return {lines.begin(), lines.end()};
  }
  static Status AddAll(const std::vector<std::pair<std::string, std::string>>& lines, ExportFiles& files) {
    for (const auto& [key, line] : lines) {
      RETURN_IF_ERROR(files.Add(key, [&line = line](std::string& out) { out += line; }));
    }
    return Ok();
  }
  std::string Unzip(const std::string& key) {
    const auto source = files::MakeDecompressor(files::Compression::kGzip, *bucket->Read(key), key);
    std::string text, piece(1000, '\0');
    for (size_t n = *source->Read(piece.data(), piece.size()); n > 0; n = *source->Read(piece.data(), piece.size())) {
      text.append(piece, 0, n);
    }
    return text;
  }

  files::FolderForTest root;
  std::unique_ptr<Bucket> bucket;
  std::optional<ExportLayout> layout;
};

TEST_F(ExportFilesTest, LinesAreInFilesOfTheirPart) {
  struct Case {
    size_t lines;
    ExportFileLimits limits;
    size_t files_min, files_max;
  };
  const Case cases[] = {
      {0, {}, 4, 4},
      {1, {}, 4, 4},
      {1000, {}, 4, 4},
      {100, {.block_bytes = 1}, 4, 4},
      {500, {.block_bytes = 1000, .file_bytes = 5000}, 10, 14},
      {50, {.block_bytes = 100, .file_bytes = 100}, 50, 54},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.lines);
    SCOPED_TRACE(c.limits.file_bytes);
    const auto lines = Lines(c.lines);
    ExportFiles files(*bucket, *layout, c.limits);
    ASSERT_EQ(Describe(AddAll(lines, files)), "ok");
    const Result<std::vector<ExportedFile>> written = files.Finish();
    ASSERT_EQ(Describe(written), "ok");
    EXPECT_GE(written->size(), c.files_min);
    EXPECT_LE(written->size(), c.files_max);
    std::string text, expected;
    for (const auto& [key, line] : lines) expected += line;
    int64_t items = 0;
    for (const ExportedFile& file : *written) {
      const std::string of_file = Unzip(file.key);
      EXPECT_EQ(of_file.size(), static_cast<size_t>(file.items) * 100);
      files::Md5 md5;
      md5.Add(GetObject(*bucket, file.key));
      EXPECT_EQ(file.md5, md5.Finish());
      text += of_file;
      items += file.items;
    }
    EXPECT_EQ(items, static_cast<int64_t>(c.lines));
    EXPECT_TRUE(text == expected) << "they are not in order of their keys";
  }
}

TEST_F(ExportFilesTest, AFailureIsReturnedAndEndsIt) {
  const auto lines = Lines(2000);
  for (const int writes : {0, 1, 7, 40}) {
    FailingBucket failing(*bucket, writes);
    ExportFiles files(failing, *layout, {.block_bytes = 1000, .file_bytes = 20'000});
    Status added = AddAll(lines, files);
    if (added.ok()) {
      const auto written = files.Finish();
      ASSERT_FALSE(written.ok()) << writes;
      EXPECT_EQ(written.error().message(), "no more") << writes;
    } else {
      EXPECT_EQ(added.message(), "no more") << writes;
    }
  }
  FailingBucket failing(*bucket, 1);
  ExportFiles files(failing, *layout, {});
  ASSERT_EQ(Describe(AddAll(Lines(100), files)), "ok") << "too few for a block";
  const auto written = files.Finish();
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message(), "no more");
}

TEST_F(ExportFilesTest, AbandonedFilesLeaveNothingUnfinished) {
  {
    ExportFiles files(*bucket, *layout, {.block_bytes = 1000, .file_bytes = 1'000'000});
    ASSERT_EQ(Describe(AddAll(Lines(200), files)), "ok");
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root.path())) {
    EXPECT_EQ(entry.path().filename().string().find(".keyfold-unfinished"), std::string::npos) << entry.path();
  }
}

}  // namespace
}  // namespace keyfold::transfer
