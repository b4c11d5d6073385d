// A ledger lies on a disk of this machine: what locks and syncs mean elsewhere nobody can promise.
#pragma once

#include <string>
#include <string_view>

namespace dither::ledger {

// What kind of shared file system this is, in words ("NFS", "fuse.sshfs"), or "" for a local one. `type` is the number
// that statfs gives, `mount_type` the name in /proc/self/mountinfo, which decides for FUSE alone: all of it counts as
// shared but fuseblk (disks) and fuse.fuse-overlayfs (containers).
std::string network_kind(long type, std::string_view mount_type);

// The type that /proc/self/mountinfo, given as text, names for the device "major:minor"; "" when it names none.
std::string mount_type_of(std::string_view mountinfo, std::string_view device);

// Refuses a path at which no ledger can live. The path may lead to a file or, in a folder that exists, to nothing yet.
//
// Refuses    a file, or a folder for it, that is on a network file system (network-file); a folder, device, pipe or a
//            symbolic link that leads to one or to nothing (cannot-read); a folder that is not there (cannot-write).
void require_local(const std::string& path);

}  // namespace dither::ledger
