// Connection: one client's socket from accept to close. Reads a request, calls the handler, writes the response, then
// reads the next one. It handles one request at a time, so pipelined requests are answered in order and a client that
// does not read holds up only itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/loop.h"
#include "http/parser.h"
#include "http/request.h"
#include "http/transport.h"

namespace keyfold::http {

// Belongs to its loop's thread, except GiveWaySoon. Owned by the loop while open, by each pending wait, and by the
// Responder of the current request.
class Connection final : public EventSink,
                         public RestPlace,
                         public Waiter,
                         public std::enable_shared_from_this<Connection> {
 public:
  Connection(const std::shared_ptr<Loop>& loop, int socket, TlsSession session, std::string peer);

  void Start();
  // Responds with 503 and closes, without reading.
  void StartRefused();
  void Answer(Response response);
  void Abandon();
  void OnEvents(uint32_t events) override;
  void SendAnswer() { Advance(); }

  void CheckDeadline(int64_t now_ms);
  // Returns true while it waits for a request of which no byte has arrived.
  bool IsIdle() const;
  void GiveWaySoon() override;
  void BeginDrain();
  // Responds with 503 to a request that is still being received or handled.
  void AnswerUnfinished();
  void Close();

  // Its index in the loop's list.
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
  // Returns false if the request must not be handled, or not yet.
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
  // Called if too much is in flight. Returns false if this connection itself has to give way.
  bool MakeRoom(bool answering);
  void GiveWay();
  void RefuseForRoom(bool close);
  void ReleaseRequest();
  void SetDeadline(std::chrono::milliseconds timeout);
  void NoteProgress(size_t bytes, std::chrono::milliseconds timeout);
  bool AppendHead(const Response& response, std::string_view coding);

  // Weak, because the loop owns the connection.
  std::weak_ptr<Loop> loop_handle_;
  Loop& loop_;
  Transport transport_;
  size_t place_ = 0;

  Phase phase_ = Phase::kReading;
  // Edge-triggered events are reported only once: these flags remember them until the socket is found empty or full.
  bool may_read_ = true;
  bool may_write_ = true;
  bool peer_finished_ = false;
  bool resume_posted_ = false;
  bool in_handler_ = false;
  bool close_after_ = false;

  RequestParser parser_;
  Request request_;
  std::string unread_;  // received after the current request
  size_t unread_at_ = 0;

  std::string out_head_;
  std::string out_body_;
  size_t out_at_ = 0;  // offset into both together

  bool vouched_ = false;      // set by a response
  size_t charged_bytes_ = 0;  // what it holds of ServerState::in_flight
  size_t lingered_bytes_ = 0;
  int64_t deadline_ms_ = 0;    // 0: none
  size_t progress_bytes_ = 0;  // bytes of the body or the response moved when the deadline was set
};

}  // namespace keyfold::http
