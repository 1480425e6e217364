#include "files/record_file.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/random.h"
#include "testing/files/folder.h"
#include "testing/files/records.h"

namespace keyfold::files {
namespace {

constexpr size_t kStartBytes = 8, kBlockHeaderBytes = 8, kFooterBytes = 32;
constexpr size_t kSmallBlockBytes = 20;

RecordFileSummary WriteRecords(const Folder& folder, const std::string& name, const Records& records,
                               size_t block_bytes = kRecordBlockBytes) {
  auto writer = RecordFileWriter::Create(folder, name, block_bytes);
  EXPECT_TRUE(writer.ok());
  for (const auto& [key, value] : records) EXPECT_TRUE((*writer)->Add(key, value).ok());
  const Result<RecordFileSummary> summary = (*writer)->Finish(true);
  EXPECT_TRUE(summary.ok());
  return *summary;
}

// What was read before the end or an error.
struct Reading {
  Records records;
  RecordFileSummary summary;
  std::string message;  // the error's message
  bool damage = false;
};

Reading ReadRecords(const Folder& folder, const std::string& name, size_t buffer_bytes = 512 << 10) {
  Reading reading;
  auto reader = RecordFileReader::Open(folder, name, buffer_bytes);
  if (!reader.ok()) return {{}, {}, reader.error().message(), IsDamage(reader.error())};
  std::string_view key, value;
  while (true) {
    const Result<bool> more = (*reader)->Next(key, value);
    if (!more.ok()) {
      // The error persists.
      EXPECT_EQ((*reader)->Next(key, value).error().message(), more.error().message());
      reading.message = more.error().message();
      reading.damage = IsDamage(more.error());
      return reading;
    }
    if (!*more) break;
    reading.records.emplace_back(key, value);
  }
  const Result<bool> again = (*reader)->Next(key, value);
  EXPECT_TRUE(again.ok() && !*again);
  reading.summary = (*reader)->summary();
  return reading;
}

std::vector<std::string> BlocksOf(const std::string& file) {
  std::vector<std::string> blocks;
  for (size_t at = kStartBytes; LoadU32(file.data() + at) != 0;) {
    const size_t bytes = kBlockHeaderBytes + LoadU32(file.data() + at);
    blocks.push_back(file.substr(at, bytes));
    at += bytes;
  }
  return blocks;
}

bool IsStartOf(const Records& part, const Records& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

TEST(RecordFile, ReadsWhatWasWritten) {
  const std::string byte_values = [] {
    std::string all;
    for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
    return all;
  }();
  Records many;
  Random random(7);
  for (int i = 0; i < 20'000; ++i) {
    many.emplace_back("key" + std::to_string(i), std::string(random.Below(300), static_cast<char>(random.Next())));
  }
  const struct {
    const char* what;
    Records records;
  } kRows[] = {
      {"nothing", {}},
      {"one empty record", {{"", ""}}},
      {"empty records", Records(100'000, {"", ""})},
      {"any bytes", {{byte_values, byte_values}, {std::string(3, '\0'), std::string(1, '\0')}}},
      {"exactly a block", {{"k", std::string(kRecordBlockBytes - 11, 'x')}, {"l", "y"}}},
      {"more than a block", {{"k", std::string(kRecordBlockBytes - 10, 'x')}, {"l", "y"}}},
      {"large key", {{std::string(200'000, 'k'), "v"}}},
      {"large among small", {{"a", "1"}, {"b", std::string(5'000'000, 'x')}, {"c", "2"}, {"d", byte_values}}},
      {"many", many},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.what);
    const FolderForTest around;
    const RecordFileSummary written = WriteRecords(around.folder(), "x/file", row.records);
    EXPECT_EQ(written.name, "x/file");
    EXPECT_EQ(written.records, row.records.size());
    EXPECT_EQ(written.bytes, around.Read("x/file").size());
    for (const size_t buffer_bytes : {size_t{0}, size_t{100}, kRecordBlockBytes, size_t{1} << 20}) {
      const Reading reading = ReadRecords(around.folder(), "x/file", buffer_bytes);
      EXPECT_EQ(reading.message, "");
      EXPECT_TRUE(reading.records == row.records) << buffer_bytes;
      EXPECT_EQ(reading.summary, written);
    }
    EXPECT_TRUE(VerifyRecordFile(around.folder(), written).ok());
  }
}

TEST(RecordFile, CountsBytesAsItGrows) {
  const FolderForTest around;
  auto writer = *RecordFileWriter::Create(around.folder(), "file");
  EXPECT_EQ(writer->bytes(), kStartBytes);
  ASSERT_TRUE(writer->Add("key", "value").ok());
  EXPECT_EQ(writer->bytes(), kStartBytes + kBlockHeaderBytes + 10);
  ASSERT_TRUE(writer->Add("key", std::string(kRecordBlockBytes, 'x')).ok());
  EXPECT_EQ(around.Read("file").size(), kStartBytes + kBlockHeaderBytes + 10);  // complete blocks only
  const uint64_t before = writer->bytes();
  EXPECT_EQ(writer->Finish(false)->bytes, before + kFooterBytes);
}

// The exact bytes on disk: files of one version are read by the next.
TEST(RecordFile, Format) {
  const FolderForTest around;
  const RecordFileSummary summary = WriteRecords(around.folder(), "file", {{"key", "value"}, {"", "v"}});
  std::string expected = "KFREC001";
  std::string records = "\x03\x05keyvalue";
  records.append("\x00\x01v", 3);
  std::string numbered(8, '\0');  // block 0
  AppendU32(numbered, 13);
  AppendU32(expected, 13);
  AppendU32(expected, Crc32c(numbered + records));
  std::string sealed = "KFREC001";
  AppendU32(sealed, Crc32c(numbered + records));
  expected += records;
  std::string footer;
  AppendU32(footer, 0);
  AppendU64(footer, 1);
  AppendU64(footer, 2);
  AppendU64(footer, kStartBytes + kBlockHeaderBytes + 13 + kFooterBytes);
  EXPECT_EQ(summary.checksum, Crc32c(sealed + footer));
  AppendU32(footer, summary.checksum);
  EXPECT_EQ(around.Read("file"), expected + footer);
}

TEST(RecordFile, AnUnfinishedFileIsIncomplete) {
  const FolderForTest around;
  {
    auto writer = *RecordFileWriter::Create(around.folder(), "file");
    ASSERT_TRUE(writer->Add("large", std::string(2 * kRecordBlockBytes, 'x')).ok());
    ASSERT_TRUE(writer->Add("small", "y").ok());
  }
  const Reading reading = ReadRecords(around.folder(), "file");
  EXPECT_EQ(reading.message, around.path() + "/file is damaged: it is truncated");
  EXPECT_TRUE(reading.damage);
}

// One file, damaged in every way: each is reported as damage with the file's name, and the records returned before are
// correct.
class DamagedRecordFile : public testing::Test {
 protected:
  DamagedRecordFile()
      : records_{{"a", "one"}, {"b", "two"}, {"c", std::string(200, 'x')}, {"d", ""}, {"", ""}, {"f", "three"}},
        summary_(WriteRecords(around_.folder(), "file", records_, kSmallBlockBytes)),
        whole_(around_.Read("file")),
        blocks_(BlocksOf(whole_)) {}

  void ExpectDamage(const std::string& bytes) {
    around_.Write("file", bytes);
    const Reading reading = ReadRecords(around_.folder(), "file");
    EXPECT_TRUE(reading.damage);
    EXPECT_TRUE(reading.message.starts_with(around_.path() + "/file is damaged: ")) << reading.message;
    EXPECT_TRUE(IsStartOf(reading.records, records_));
    Status verified = VerifyRecordFile(around_.folder(), summary_);
    ASSERT_FALSE(verified.ok());
    EXPECT_EQ(verified.kind(), Kind::kInternal);
    EXPECT_EQ(verified.message(), reading.message);
    EXPECT_TRUE(IsDamage(std::move(verified).TakeError()));
  }

  const FolderForTest around_;
  const Records records_;
  const RecordFileSummary summary_;
  const std::string whole_;
  const std::vector<std::string> blocks_;
};

TEST_F(DamagedRecordFile, AnyFlippedBit) {
  ASSERT_EQ(blocks_.size(), 4u);
  for (size_t bit = 0; bit < whole_.size() * 8; ++bit) {
    SCOPED_TRACE(bit);
    std::string bytes = whole_;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    ExpectDamage(bytes);
  }
}

TEST_F(DamagedRecordFile, AnyOtherByte) {
  Random random(11);
  for (size_t at = 0; at < whole_.size(); ++at) {
    SCOPED_TRACE(at);
    std::string bytes = whole_;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 + random.Below(255)));
    ExpectDamage(bytes);
    if (whole_[at] == '\0') continue;
    bytes[at] = '\0';
    ExpectDamage(bytes);
  }
}

TEST_F(DamagedRecordFile, AnyOtherLength) {
  for (size_t bytes = 0; bytes < whole_.size(); ++bytes) {
    SCOPED_TRACE(bytes);
    ExpectDamage(whole_.substr(0, bytes));
    ExpectDamage(whole_.substr(0, bytes) + std::string(whole_.size() - bytes, '\xff'));
  }
  ExpectDamage(whole_ + std::string(1, '\0'));
  ExpectDamage(whole_ + 'x');
  ExpectDamage(whole_ + whole_);
}

TEST_F(DamagedRecordFile, Wording) {
  const auto damage = [&](const std::string& bytes) {
    around_.Write("file", bytes);
    return ReadRecords(around_.folder(), "file").message;
  };
  std::string bytes = whole_;
  bytes[kStartBytes + kBlockHeaderBytes] ^= 1;
  EXPECT_EQ(damage(bytes), around_.path() + "/file is damaged: block 0 does not match its checksum");
  EXPECT_EQ(damage("x" + whole_.substr(1)), around_.path() + "/file is damaged: it is not a record file");
  EXPECT_EQ(damage(whole_ + "x"), around_.path() + "/file is damaged: there are extra bytes after its end");
}

TEST_F(DamagedRecordFile, MovedBlocks) {
  const std::string start = whole_.substr(0, kStartBytes), footer = whole_.substr(whole_.size() - kFooterBytes);
  const auto file_of = [&](std::initializer_list<size_t> order) {
    std::string file = start;
    for (const size_t block : order) file += blocks_[block];
    return file + footer;
  };
  ASSERT_EQ(file_of({0, 1, 2, 3}), whole_);
  ExpectDamage(file_of({1, 0, 2, 3}));
  ExpectDamage(file_of({0, 2, 1, 3}));
  ExpectDamage(file_of({0, 1, 3, 2}));
  ExpectDamage(file_of({0, 1, 2}));
  ExpectDamage(file_of({1, 2, 3}));
  ExpectDamage(file_of({0, 0, 1, 2, 3}));
  ExpectDamage(file_of({0, 1, 2, 3, 3}));
  ExpectDamage(file_of({}));
  ExpectDamage(start + footer + blocks_[0]);
}

TEST_F(DamagedRecordFile, PartsOfAnotherFile) {
  Records others = records_;
  others[0].second.back() = 'x';
  WriteRecords(around_.folder(), "other", others, kSmallBlockBytes);
  const std::string other = around_.Read("other");
  ASSERT_EQ(other.size(), whole_.size());
  const size_t body = whole_.size() - kFooterBytes;
  ExpectDamage(whole_.substr(0, body) + other.substr(body));
  // The other file's blocks, which are valid by themselves, with this one's footer.
  around_.Write("file", other.substr(0, body) + whole_.substr(body));
  const Reading reading = ReadRecords(around_.folder(), "file");
  EXPECT_EQ(reading.message, around_.path() + "/file is damaged: its footer does not match its content");
}

TEST_F(DamagedRecordFile, AnotherWholeFile) {
  Records others = records_;
  others[2].second.back() = 'y';
  const RecordFileSummary other = WriteRecords(around_.folder(), "other", others, kSmallBlockBytes);
  EXPECT_EQ(other.bytes, summary_.bytes);
  EXPECT_EQ(other.records, summary_.records);
  EXPECT_NE(other.checksum, summary_.checksum);
  around_.Write("file", around_.Read("other"));
  Status verified = VerifyRecordFile(around_.folder(), summary_);
  ASSERT_FALSE(verified.ok());
  EXPECT_EQ(verified.message(),
            around_.path() + "/file is damaged: it is complete, but not the file that was written under this name");
  EXPECT_TRUE(IsDamage(std::move(verified).TakeError()));
}

TEST_F(DamagedRecordFile, NoFile) {
  ASSERT_TRUE(around_.folder().Remove("file").ok());
  const Reading missing = ReadRecords(around_.folder(), "file");
  EXPECT_TRUE(missing.damage);
  EXPECT_EQ(missing.message, around_.path() + "/file does not exist");
  EXPECT_FALSE(VerifyRecordFile(around_.folder(), summary_).ok());
  std::filesystem::create_symlink("other", around_.path() + "/file");
  const Reading link = ReadRecords(around_.folder(), "file");
  EXPECT_TRUE(link.damage);
  EXPECT_EQ(link.message, "file is a link, and links are not followed");
  EXPECT_FALSE(ReadRecords(around_.folder(), "../file").damage);
}

// A file with correct checksums and malformed records, which only a bug or malice can produce.
TEST(RecordFile, RefusesMalformedRecords) {
  const std::string long_varint(10, '\xff');
  const struct {
    const char* what;
    std::string records;
    size_t shown;
  } kRows[] = {
      {"a key longer than the block", "\x7f\x01k", 0},
      {"a value longer than the block", "\x01\x7fk", 0},
      {"no value", "\x01\x01k", 0},
      {"half a length", "\x80", 0},
      {"a length of more than 64 bits", long_varint + "\x01" + "k", 0},
      {"lengths that together wrap", "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01k", 0},
      {"one record, then a byte", "\x01\x01kv\x01", 1},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.what);
    const FolderForTest around;
    std::string place(8, '\0'), file = "KFREC001";
    AppendU32(place, static_cast<uint32_t>(row.records.size()));
    AppendU32(file, static_cast<uint32_t>(row.records.size()));
    AppendU32(file, Crc32c(place + row.records));
    around.Write("file", file + row.records);
    const Reading reading = ReadRecords(around.folder(), "file");
    EXPECT_EQ(reading.message, around.path() + "/file is damaged: block 0 does not consist of records");
    EXPECT_EQ(reading.records.size(), row.shown);
  }
}

}  // namespace
}  // namespace keyfold::files
