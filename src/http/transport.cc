#include "http/transport.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace keyfold::http {
namespace {

constexpr size_t kTlsWriteMax = 1 << 20;  // SSL_write takes an int

Transport::Outcome FromErrno(Transport::Want when_blocked) {
  const bool blocked = errno == EAGAIN || errno == EWOULDBLOCK;
  return {0, blocked ? when_blocked : Transport::Want::kClosed};
}

}  // namespace

Transport::Transport(int socket, TlsSession session) : socket_(socket), session_(std::move(session)) {
  if (session_ == nullptr) return;
  CHECK(SSL_set_fd(session_.get(), socket_) == 1);
  SSL_set_accept_state(session_.get());
}

std::unique_ptr<Transport> Transport::AfterHandshake(int socket, TlsSession session) {
  return std::unique_ptr<Transport>(new Transport(socket, std::move(session), Shaken()));
}

Transport::Outcome Transport::Read(char* to, size_t bytes_max) {
  if (session_ != nullptr) {
    ERR_clear_error();
    return FromTls(SSL_read(session_.get(), to, static_cast<int>(bytes_max)));
  }
  for (;;) {
    const ssize_t n = ::recv(socket_, to, bytes_max, 0);
    if (n > 0) return {static_cast<size_t>(n), Want::kNothing};
    if (n == 0) return {0, Want::kClosed};
    if (errno != EINTR) return FromErrno(Want::kReadable);
  }
}

Transport::Outcome Transport::Write(std::string_view first, std::string_view second) {
  if (session_ != nullptr) {
    const std::string_view bytes = first.empty() ? second : first;
    ERR_clear_error();
    return FromTls(SSL_write(session_.get(), bytes.data(), static_cast<int>(std::min(bytes.size(), kTlsWriteMax))));
  }
  iovec parts[2];
  size_t count = 0;
  for (const std::string_view part : {first, second}) {
    if (!part.empty()) parts[count++] = {const_cast<char*>(part.data()), part.size()};
  }
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = count;
  for (;;) {
    const ssize_t n = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
    if (n >= 0) return {static_cast<size_t>(n), Want::kNothing};
    if (errno != EINTR) return FromErrno(Want::kWritable);
  }
}

Transport::Outcome Transport::FromTls(int result) const {
  if (result > 0) return {static_cast<size_t>(result), Want::kNothing};
  switch (SSL_get_error(session_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return {0, Want::kReadable};
    case SSL_ERROR_WANT_WRITE:
      return {0, Want::kWritable};
    default:
      return {0, Want::kClosed};
  }
}

bool Transport::MayHoldMore() const { return session_ != nullptr && SSL_has_pending(session_.get()) == 1; }

bool Transport::handshake_done() const { return session_ == nullptr || SSL_is_init_finished(session_.get()) == 1; }

void Transport::Close() {
  session_.reset();
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

void Transport::Reset() {
  const linger at_once{1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  Close();
}

bool Transport::HasArrivals() const {
  int bytes = 0;
  return MayHoldMore() || (::ioctl(socket_, FIONREAD, &bytes) == 0 && bytes > 0);
}

void Transport::FinishWriting() {
  if (session_ != nullptr && handshake_done()) {
    ERR_clear_error();
    SSL_shutdown(session_.get());
  }
  ::shutdown(socket_, SHUT_WR);
}

}  // namespace keyfold::http
