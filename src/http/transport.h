// Transport: non-blocking reads and writes on one connected socket, plain or under TLS. It knows nothing of events: it
// says what it waits for.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "http/tls.h"

namespace keyfold {

// One thread at a time. Owns the socket.
class Transport {
 public:
  enum class Want : unsigned char {
    kNothing,
    kReadable,  // try again when the socket is readable
    kWritable,  // … writable
    kClosed,    // the peer is gone, or closed its side
  };
  struct Outcome {
    size_t bytes = 0;  // with kNothing only
    Want want = Want::kNothing;
  };

  // A null session is a plain connection; another is about to accept a client's handshake.
  Transport(int socket, TlsSession session);
  // A session that stands on `socket` already, its handshake done.
  static std::unique_ptr<Transport> AfterHandshake(int socket, TlsSession session);
  ~Transport() { Close(); }
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  Outcome Read(char* to, size_t bytes_max);
  // Both in one system call, where it is plain; may write less than all.
  Outcome Write(std::string_view first, std::string_view second);
  // Bytes may be held above the socket, which it will never announce.
  bool MayHoldMore() const;
  // No more will be written; the peer sees the end and may still be read from.
  void FinishWriting();
  void Close();
  // Closes and drops what has not been sent; the peer sees a reset, so it does not take half an answer for a whole one.
  void Reset();
  // Whether bytes have arrived that were not read.
  bool HasArrivals() const;
  int socket() const { return socket_; }
  bool tls() const { return session_ != nullptr; }
  bool handshake_done() const;

 private:
  struct Shaken {};
  Transport(int socket, TlsSession session, Shaken) : socket_(socket), session_(std::move(session)) {}
  Outcome FromTls(int result) const;

  int socket_;
  TlsSession session_;
};

}  // namespace keyfold
