/**
 * Debian as its users run it, for tests of what a guest sees: systemd with networkd and resolved,
 * cloud-init, GRUB, OpenSSH and the guest agent. Needs root, `mmdebstrap`, `mtools` and
 * `e2fsprogs`, and Debian's packages from the network.
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { machinesMissing } from './libvirt.ts'
import { partitionTable, partitionTypes } from './uefi-guest.ts'

const root = join(import.meta.dirname, '../../../..')
/** Path of the image, which the first test builds. */
const debianImage = process.env.STEADING_DEBIAN_IMAGE ?? join(root, 'dist/debian-12.qcow2')

/** Files of the Debian packages that build it, besides those of the machines. */
const tools = {
  '/usr/bin/mmdebstrap': 'mmdebstrap',
  '/sbin/mke2fs': 'e2fsprogs',
  '/sbin/mkfs.vfat': 'dosfstools',
  '/usr/bin/mcopy': 'mtools',
  '/usr/share/OVMF/OVMF_CODE_4M.fd': 'ovmf',
}

/** The reason why no Debian runs here; undefined if one does. */
export function debianMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can build an image of Debian'
  const missing = Object.entries(tools).flatMap(([file, debian]) =>
    existsSync(file) ? [] : [debian],
  )
  return (
    machinesMissing() ?? (missing.length > 0 ? `apt-get install ${missing.join(' ')}` : undefined)
  )
}

const packages = [
  'linux-image-cloud-amd64',
  'grub-efi-amd64-bin',
  'systemd-sysv',
  'systemd-resolved',
  'netplan.io',
  'cloud-init',
  'openssh-server',
  'qemu-guest-agent',
  // For the tests themselves.
  'bind9-dnsutils',
  'curl',
  'iputils-ping',
]

const SECTOR = 512
const MiB = 1024 * 1024
/** In MiB. */
const [ESP, ROOT] = [16, 1536]

/** Which GRUB reads from its own file; the rest is on the root file system. */
const grub = `search --no-floppy --label debian-root --set root
set prefix=($root)/boot/grub
linux /vmlinuz root=LABEL=debian-root console=tty0 console=ttyS0,115200
initrd /initrd.img
boot
`
const modules = 'part_gpt ext2 search search_label linux normal configfile'.split(' ')

function makeRoot(folder: string): void {
  const sh = (script: string): string => `--customize-hook=chroot "$1" sh -ec '${script}'`
  execFileSync(
    'mmdebstrap',
    [
      '--variant=minbase',
      `--include=${packages.join(',')}`,
      '--aptopt=APT::Install-Recommends "false"',
      '--aptopt=Acquire::Retries "3"',
      `--customize-hook=copy-in ${dirname(folder)}/grub.cfg /boot`,
      sh(
        `grub-mkimage -O x86_64-efi -p /boot/grub -c /boot/grub.cfg -o /boot/BOOTX64.EFI ${modules.join(' ')}`,
      ),
      sh('echo "LABEL=debian-root / ext4 errors=remount-ro 0 1" >/etc/fstab'),
      sh('rm -f /etc/ssh/ssh_host_* /etc/hostname; : >/etc/machine-id'),
      'bookworm',
      folder,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
}

function writeDisk(work: string, target: string): void {
  const [esp, file] = [join(work, 'esp'), join(work, 'root.img')]
  writeFileSync(esp, '')
  truncateSync(esp, ESP * MiB)
  execFileSync('/sbin/mkfs.vfat', ['-F', '16', esp], { stdio: 'ignore' })
  execFileSync('mmd', ['-i', esp, '::EFI', '::EFI/BOOT'])
  execFileSync('mcopy', ['-i', esp, join(work, 'root/boot/BOOTX64.EFI'), '::EFI/BOOT/BOOTX64.EFI'])
  const options = ['-q', '-t', 'ext4', '-L', 'debian-root', '-d', join(work, 'root')]
  execFileSync('/sbin/mke2fs', [...options, file, `${ROOT}M`])
  const size = (ESP + ROOT + 2) * MiB
  const [first, second] = [MiB / SECTOR, ((1 + ESP) * MiB) / SECTOR]
  const table = partitionTable(
    [
      { type: partitionTypes.efiSystem, first, last: second - 1 },
      { type: partitionTypes.linuxData, first: second, last: second + (ROOT * MiB) / SECTOR - 1 },
    ],
    size,
  )
  writeFileSync(target, table)
  truncateSync(target, size)
  const dd = (from: string, at: number) =>
    execFileSync(
      'dd',
      [`if=${from}`, `of=${target}`, 'bs=1M', `seek=${at}`, 'conv=notrunc,sparse'],
      {
        stdio: 'ignore',
      },
    )
  dd(esp, 1)
  dd(file, 1 + ESP)
}

/**
 * Builds the image, unless it is there.
 * @returns its path
 */
export function buildDebian(): string {
  if (existsSync(debianImage)) return debianImage
  mkdirSync(dirname(debianImage), { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'steading-debian-'))
  try {
    writeFileSync(join(work, 'grub.cfg'), grub)
    makeRoot(join(work, 'root'))
    writeDisk(work, join(work, 'disk'))
    execFileSync(
      'qemu-img',
      ['convert', '-f', 'raw', '-O', 'qcow2', '-c', join(work, 'disk'), `${debianImage}.new`],
      { stdio: 'ignore' },
    )
    renameSync(`${debianImage}.new`, debianImage)
    return debianImage
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
