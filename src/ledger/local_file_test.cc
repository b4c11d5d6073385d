#include "ledger/local_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "ledger/files_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using check::Folder;
using testing::refusal;

constexpr long kFuse = 0x65735546;

// Numbers of statfs(2) and of the file systems' own sources.
TEST(NetworkKind, KnowsSharedFileSystems) {
  EXPECT_EQ(network_kind(0x6969, "nfs4"), "NFS");
  EXPECT_EQ(network_kind(0x517B, ""), "SMB");
  EXPECT_EQ(network_kind(0xFF534D42, ""), "CIFS");
  EXPECT_EQ(network_kind(0xFE534D42, ""), "SMB2");
  EXPECT_EQ(network_kind(static_cast<int>(0xFE534D42), ""), "SMB2");  // with a sign
  EXPECT_EQ(network_kind(0x5346414F, ""), "AFS");
  EXPECT_EQ(network_kind(0x6B414653, ""), "AFS");
  EXPECT_EQ(network_kind(0x73757245, ""), "Coda");
  EXPECT_EQ(network_kind(0x00C36400, ""), "Ceph");
  EXPECT_EQ(network_kind(0x01021997, ""), "9P");
  EXPECT_EQ(network_kind(0x0BD00BD0, ""), "Lustre");
  EXPECT_EQ(network_kind(0x01161970, ""), "GFS2");
  EXPECT_EQ(network_kind(0x7461636F, ""), "OCFS2");
  EXPECT_EQ(network_kind(0x564C, ""), "NCP");
}

TEST(NetworkKind, LetsDisksPass) {
  for (const long type :
       {0xEF53L /* ext4 */, 0x58465342L /* xfs */, 0x9123683EL /* btrfs */, 0x01021994L /* tmpfs */,
        0x2FC12FC1L /* zfs */, 0x794C7630L /* overlay */, 0xF2F52010L /* f2fs */, 0x4D44L /* fat */}) {
    EXPECT_EQ(network_kind(type, "whatever"), "") << type;
  }
}

TEST(NetworkKind, GoesByTheNameForFuse) {
  for (const char* name : {"fuse.sshfs", "fuse.s3fs", "fuse.rclone", "fuse.glusterfs", "fuse.gcsfuse", "virtiofs"}) {
    EXPECT_EQ(network_kind(kFuse, name), name);
  }
  EXPECT_EQ(network_kind(kFuse, ""), "fuse");
  EXPECT_EQ(network_kind(kFuse, "fuse"), "fuse");
  EXPECT_EQ(network_kind(kFuse, "fuseblk"), "");
  EXPECT_EQ(network_kind(kFuse, "fuse.fuse-overlayfs"), "");
}

TEST(MountType, StandsAfterTheOptionalFields) {
  const std::string text =
      "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
      "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:2 - ext3 /dev/root rw,errors=continue\n"
      "41 27 0:45 / /home/anna/far\\040away rw,nosuid - fuse.sshfs anna@host:/ rw\n"
      "broken line 0:46 / /x rw\n"
      "42 27 0:4 / /last rw - fuseblk /dev/sdb1 rw";
  EXPECT_EQ(mount_type_of(text, "0:21"), "proc");
  EXPECT_EQ(mount_type_of(text, "98:0"), "ext3");
  EXPECT_EQ(mount_type_of(text, "0:45"), "fuse.sshfs");
  EXPECT_EQ(mount_type_of(text, "0:4"), "fuseblk");
  EXPECT_EQ(mount_type_of(text, "0:46"), "");
  EXPECT_EQ(mount_type_of(text, "0:2"), "");
  EXPECT_EQ(mount_type_of("", "0:2"), "");
}

TEST(RequireLocal, TakesFilesAndNewNames) {
  const Folder folder;
  require_local(folder / "new.ledger");
  check::put_bytes(folder / "old.ledger", "x");
  require_local(folder / "old.ledger");
  std::filesystem::create_symlink("old.ledger", folder / "link");
  require_local(folder / "link");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"link", "old.ledger"}));  // and makes nothing
}

TEST(RequireLocal, RefusesWhatIsNoFile) {
  const Folder folder;
  std::filesystem::create_directory(folder / "folder");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("folder", folder / "to-folder");
  std::filesystem::create_symlink("/dev/null", folder / "to-device");
  std::filesystem::create_symlink("nowhere", folder / "to-nothing");
  for (const char* name : {"folder", "folder/", "pipe", "to-folder", "to-device", "to-nothing", "new/"}) {
    EXPECT_EQ(refusal([&] { require_local(folder / name); }), Code::cannot_read) << name;
  }
  EXPECT_EQ(refusal([] { require_local("/dev/null"); }), Code::cannot_read);
  EXPECT_EQ(refusal([] { require_local(""); }), Code::cannot_read);
}

TEST(RequireLocal, RefusesAFolderThatIsNotThere) {
  const Folder folder;
  check::put_bytes(folder / "file", "x");
  EXPECT_EQ(refusal([&] { require_local(folder / "none/new.ledger"); }), Code::cannot_write);
  EXPECT_EQ(refusal([&] { require_local(folder / "file/new.ledger"); }), Code::cannot_write);
  try {
    require_local(folder / "none/new.ledger");
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("mkdir -p"), std::string::npos) << error.str();
  }
}

}  // namespace
}  // namespace dither::ledger
