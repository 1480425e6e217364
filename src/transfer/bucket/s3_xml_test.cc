#include "transfer/bucket/s3_xml.h"

#include <gtest/gtest.h>

namespace keyfold::transfer {
namespace {

// "path=text;" for each element, or "fault".
std::string Read(std::string_view xml) {
  std::string seen;
  const bool whole = ReadXml(xml, [&](std::string_view path, std::string_view text) {
    seen.append(path).append("=").append(text).append(";");
  });
  return whole ? seen : "fault";
}

struct Row {
  std::string xml, seen;
};

TEST(S3Xml, Elements) {
  const Row rows[] = {
      {"<a/>", "a=;"},
      {"<a></a>", "a=;"},
      {"<a x=\"1\" y='>'/>", "a=;"},
      {"\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<!-- <b> -->\n<a>t</a>\n", "a=t;"},
      {"<a>1<b>2</b>3<b >4</b ></a>", "a/b=2;a/b=4;a=13;"},
      {"<a><b><c/></b></a>", "a/b/c=;a/b=;a=;"},
      {"<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;&#xe4;&#128512;</a>", "a=<>&\"'AB\u00e4\U0001F600;"},
      {"<a> x <![CDATA[<&amp;]]></a>", "a= x <&amp;;"},
      {"<a>x<!-- y -->z<?p?></a>", "a=xz;"},
  };
  for (const Row& row : rows) EXPECT_EQ(Read(row.xml), row.seen) << row.xml;
}

TEST(S3Xml, InvalidXml) {
  const std::string rows[] = {
      "",
      " ",
      "text",
      "<a>",
      "</a>",
      "<a></b>",
      "<a><b></a></b>",
      "<a/><b/>",
      "<a/>text",
      "text<a/>",
      "<a",
      "<",
      "<>",
      "< a/>",
      "<a></ab>",
      "<a></a b>",
      "<a x=\"></a>",
      "<a>&nbsp;</a>",
      "<a>&</a>",
      "<a>&#0;</a>",
      "<a>&#xD800;</a>",
      "<a>&#x110000;</a>",
      "<a>&#;</a>",
      "<a>&#x;</a>",
      "<a>&#1x;</a>",
      "<a>&lt</a>",
      "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
      "<a><!ELEMENT b></a>",
      "<a><![CDATA[x]></a>",
      "<![CDATA[x]]><a/>",
      "<!-- <a/>",
      "<?xml <a/>",
  };
  for (const std::string& row : rows) EXPECT_EQ(Read(row), "fault") << row;
}

TEST(S3Xml, NestingIsLimited) {
  const auto nested = [](size_t depth) {
    std::string xml;
    for (size_t i = 0; i < depth; ++i) xml.append("<a>");
    for (size_t i = 0; i < depth; ++i) xml.append("</a>");
    return xml;
  };
  EXPECT_NE(Read(nested(kXmlDepthMax)), "fault");
  EXPECT_EQ(Read(nested(kXmlDepthMax + 1)), "fault");
}

TEST(S3Xml, Faults) {
  const auto fault = ReadS3Fault(
      "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Message>It&apos;s gone</Message><Key>k</Key></Error>");
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->code, "NoSuchKey");
  EXPECT_EQ(fault->message, "It's gone");
  EXPECT_FALSE(ReadS3Fault("<html><Code>x</Code></html>").has_value());
  EXPECT_FALSE(ReadS3Fault("<Error><Code></Code></Error>").has_value());
  EXPECT_FALSE(ReadS3Fault("Bad Gateway").has_value());
}

// "key:bytes key:bytes |next", or "none".
std::string Listed(const std::string& inside) {
  const std::optional<S3Listing> listing = ReadS3Listing(
      "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" + inside + "</ListBucketResult>");
  if (!listing.has_value()) return "none";
  std::string text;
  for (const S3Listing::Object& object : listing->objects) {
    text.append(object.key).append(":").append(std::to_string(object.bytes)).append(" ");
  }
  return text + "|" + listing->next;
}

TEST(S3Xml, Listings) {
  const Row rows[] = {
      {"", "|"},
      {"<IsTruncated>false</IsTruncated><Contents><Key>a b</Key><Size>5</Size></Contents>", "a b:5 |"},
      {"<Contents><Key>a</Key><Size>1</Size></Contents><Contents><Size> 2 </Size><Key>b</Key></Contents>", "a:1 b:2 |"},
      {"<IsTruncated>true</IsTruncated><NextContinuationToken>t=</NextContinuationToken>", "|t="},
      {"<IsTruncated>false</IsTruncated><NextContinuationToken>t</NextContinuationToken>", "|"},
      {"<IsTruncated>true</IsTruncated>", "none"},
      {"<Contents><Key>a+b%2Bc%20</Key></Contents><EncodingType>url</EncodingType>", "a b+c :0 |"},
      {"<Contents><Key>a+b%2Bc</Key></Contents>", "a+b%2Bc:0 |"},
      {"<Prefix>p</Prefix><CommonPrefixes><Prefix>q</Prefix></CommonPrefixes>", "|"},
      {"<Contents><Size>1</Size></Contents>", "none"},
      {"<Contents><Key>a</Key><Size>x</Size></Contents>", "none"},
      {"<Contents><Key>a</Key><Size>99999999999999999999</Size></Contents>", "none"},
      {"<Contents>", "none"},
  };
  for (const Row& row : rows) EXPECT_EQ(Listed(row.xml), row.seen) << row.xml;
  EXPECT_FALSE(ReadS3Listing("<Error/>").has_value());
}

TEST(S3Xml, Uploads) {
  const auto uploads = ReadS3Uploads(
      "<ListMultipartUploadsResult><NextKeyMarker>k%2F2</NextKeyMarker><NextUploadIdMarker>i2</NextUploadIdMarker>"
      "<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>"
      "<Upload><Key>k%2F1</Key><UploadId>i1</UploadId></Upload></ListMultipartUploadsResult>");
  ASSERT_TRUE(uploads.has_value());
  ASSERT_EQ(uploads->uploads.size(), 1u);
  EXPECT_EQ(uploads->uploads[0].key, "k/1");
  EXPECT_EQ(uploads->uploads[0].id, "i1");
  EXPECT_EQ(uploads->next_key, "k/2");
  EXPECT_EQ(uploads->next_id, "i2");
  EXPECT_FALSE(ReadS3Uploads("<ListMultipartUploadsResult><Upload><Key>k</Key></Upload></ListMultipartUploadsResult>")
                   .has_value());
  EXPECT_FALSE(ReadS3Uploads("<ListBucketResult/>").has_value());
}

TEST(S3Xml, AnUploadFromBeginToEnd) {
  EXPECT_EQ(ReadS3UploadId("<InitiateMultipartUploadResult><Key>k</Key><UploadId> i </UploadId>"
                           "</InitiateMultipartUploadResult>"),
            "i");
  EXPECT_EQ(ReadS3UploadId("<InitiateMultipartUploadResult><UploadId/></InitiateMultipartUploadResult>"), std::nullopt);
  EXPECT_EQ(S3CompletionXml({"\"e1\"", "e<2"}),
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            "<Part><PartNumber>1</PartNumber><ETag>&quot;e1&quot;</ETag></Part>"
            "<Part><PartNumber>2</PartNumber><ETag>e&lt;2</ETag></Part></CompleteMultipartUpload>");
  EXPECT_NE(Read(S3CompletionXml({"a&b"})), "fault");
  EXPECT_EQ(ReadS3CompletedETag("<CompleteMultipartUploadResult><ETag>&quot;e-2&quot;</ETag>"
                                "</CompleteMultipartUploadResult>"),
            "\"e-2\"");
  EXPECT_EQ(ReadS3CompletedETag("<Error><ETag>e</ETag></Error>"), std::nullopt);
}

}  // namespace
}  // namespace keyfold::transfer
