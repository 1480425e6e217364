// Transport: non-blocking reads and writes on one connected socket, plain or TLS. It does not handle events: it reports
// what it waits for.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "http/tls.h"

namespace keyfold::http {

// Used by one thread at a time. Owns the socket.
class Transport {
 public:
  enum class Want : unsigned char {
    kNothing,
    kReadable,  // try again when the socket is readable
    kWritable,  // try again when it is writable
    kClosed,    // the peer is gone, or closed its side
  };
  struct Outcome {
    size_t bytes = 0;  // only with kNothing
    Want want = Want::kNothing;
  };

  // A null session means a plain connection; any other is about to accept a client's handshake.
  Transport(int socket, TlsSession session);
  // For a session already established on `socket`, its handshake done.
  static std::unique_ptr<Transport> AfterHandshake(int socket, TlsSession session);
  ~Transport() { Close(); }
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  Outcome Read(char* to, size_t bytes_max);
  // Writes both, in one system call on a plain connection; may write less than all.
  Outcome Write(std::string_view first, std::string_view second);
  // Whether bytes may be buffered above the socket; no event will announce them.
  bool MayHoldMore() const;
  // Ends writing: the peer sees end of stream and can still be read from.
  void FinishWriting();
  void Close();
  // Closes and drops unsent data; the peer sees a reset, so that it does not take half a response for a whole one.
  void Reset();
  // Whether unread bytes have arrived.
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

}  // namespace keyfold::http
