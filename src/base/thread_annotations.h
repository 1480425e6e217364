// Annotations that say which mutex guards what, checked by clang's -Wthread-safety in the `lint` step. Other compilers
// ignore them.
#pragma once

#if defined(__clang__)
#define KEYFOLD_ANNOTATION(x) __attribute__((x))
#else
#define KEYFOLD_ANNOTATION(x)
#endif

// On types.
#define CAPABILITY(x) KEYFOLD_ANNOTATION(capability(x))
#define SCOPED_CAPABILITY KEYFOLD_ANNOTATION(scoped_lockable)
// On fields: the mutex must be held to use the field, or what the field points to.
#define GUARDED_BY(x) KEYFOLD_ANNOTATION(guarded_by(x))
#define PT_GUARDED_BY(x) KEYFOLD_ANNOTATION(pt_guarded_by(x))
// On functions: what the caller must hold, must not hold, or holds afterwards.
#define REQUIRES(...) KEYFOLD_ANNOTATION(requires_capability(__VA_ARGS__))
#define REQUIRES_SHARED(...) KEYFOLD_ANNOTATION(requires_shared_capability(__VA_ARGS__))
#define EXCLUDES(...) KEYFOLD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) KEYFOLD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define ACQUIRE_SHARED(...) KEYFOLD_ANNOTATION(acquire_shared_capability(__VA_ARGS__))
#define RELEASE(...) KEYFOLD_ANNOTATION(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...) KEYFOLD_ANNOTATION(release_shared_capability(__VA_ARGS__))
#define RELEASE_GENERIC(...) KEYFOLD_ANNOTATION(release_generic_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) KEYFOLD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define ASSERT_CAPABILITY(x) KEYFOLD_ANNOTATION(assert_capability(x))
// On functions whose locking the analysis cannot follow. A comment says why it is correct.
#define NO_THREAD_SAFETY_ANALYSIS KEYFOLD_ANNOTATION(no_thread_safety_analysis)
