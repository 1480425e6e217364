// Connection: one client's socket from accept to close. Reads a request, calls the handler, writes the answer, then the
// next one: strictly in turn, so pipelined requests are answered in order and a client that does not read holds up only
// itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/loop.h"
#include "http/parser.h"
#include "http/request.h"
#include "http/transport.h"

namespace keyfold {

// Belongs to its loop's thread, but for GiveWaySoon. Held by the loop while open, by each wait under way, and by the
// Responder of the request at hand.
class Connection final : public EventSink,
                         public RestPlace,
                         public Waiter,
                         public std::enable_shared_from_this<Connection> {
 public:
  Connection(const std::shared_ptr<Loop>& loop, int socket, TlsSession session, std::string peer);

  void Start();
  // Answers 503 and closes, without reading.
  void StartRefused();
  void Answer(Response response);
  void Abandon();
  void OnEvents(uint32_t events) override;
  void SendAnswer() { Advance(); }

  void CheckDeadline(int64_t now_ms);
  // Waits for a request of which nothing has arrived.
  bool IsIdle() const;
  void GiveWaySoon() override;
  void BeginDrain();
  // Answers a request that is still being received or handled with 503.
  void AnswerUnfinished();
  void Close();

  // Where the loop keeps it.
  void set_place(size_t place) { place_ = place; }
  size_t place() const { return place_; }

 private:
  enum class Phase : uint8_t { kReading, kHandling, kWriting, kLingering, kClosed };

  void Advance();
  bool ReadSome();
  bool WriteSome();
  bool LingerSome();
  void AwaitEvent(Transport::Want want);

  void AfterFeed(bool head_was_done);
  void Dispatch();
  void Handle();
  // False: the request is not to be handled, or not yet.
  bool UndoContentCoding();
  bool TakeDecoded(DecodeOutcome outcome, std::string body);
  bool DecodeElsewhere();
  bool CompressElsewhere(Response& response, ContentCoding coding);
  void SendContinue();
  void Refuse(int status, std::string_view why, bool close);
  ContentCoding CodingFor(const Response& response) const;
  // `coding` has been applied to the body.
  void Encode(Response& response, ContentCoding coding = ContentCoding::kIdentity);
  void SendEncoded(Response& response, ContentCoding coding);
  void FinishAnswer();
  void NextRequest();
  void Charge(size_t bytes);
  void AwaitClient(size_t moved);
  void StopWaiting();
  // Where too much is in flight. False: this connection is the one to give way.
  bool MakeRoom(bool answering);
  void GiveWay();
  void RefuseForRoom(bool close);
  void ReleaseRequest();
  void SetDeadline(std::chrono::milliseconds timeout);
  void NoteProgress(size_t bytes, std::chrono::milliseconds timeout);
  bool AppendHead(const Response& response, std::string_view coding);

  // Weak: the loop holds the connection.
  std::weak_ptr<Loop> loop_handle_;
  Loop& loop_;
  Transport transport_;
  size_t place_ = 0;

  Phase phase_ = Phase::kReading;
  // Edges are told once: these remember them until the socket was found to be empty or full.
  bool may_read_ = true;
  bool may_write_ = true;
  bool peer_finished_ = false;
  bool resume_posted_ = false;
  bool in_handler_ = false;
  bool close_after_ = false;

  RequestParser parser_;
  Request request_;
  std::string unread_;  // received behind the request at hand
  size_t unread_at_ = 0;

  std::string out_head_;
  std::string out_body_;
  size_t out_at_ = 0;  // of both together

  bool vouched_ = false;      // an answer said so
  size_t charged_bytes_ = 0;  // of ServerState::in_flight
  size_t lingered_bytes_ = 0;
  int64_t deadline_ms_ = 0;    // 0: none
  size_t progress_bytes_ = 0;  // of the body or the answer, when the deadline was set
};

}  // namespace keyfold
