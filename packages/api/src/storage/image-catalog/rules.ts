/** The list of well-known images, which operators can replace. */
import type { ChecksumAlgorithm } from '../image-downloads/rules.ts'

/** Images in the list. */
export const IMAGE_CATALOG_MAX = 100

export const imageArchitectures = ['x86_64', 'aarch64'] as const

interface WellKnownImage {
  name: string
  os: string
  version: string
  architecture: (typeof imageArchitectures)[number]
  url: string
  checksum: { type: 'list'; url: string } | { type: ChecksumAlgorithm; value: string } | null
  user: string
}

/** An image whose publisher keeps a list of checksums beside it. */
const published = (
  os: string,
  version: string,
  user: string,
  [folder, file, list]: [folder: string, file: string, list: string],
): WellKnownImage => ({
  name: `${os} ${version}`.trim(),
  os,
  version,
  architecture: 'x86_64',
  url: `${folder}/${file}`,
  checksum: { type: 'list', url: `${folder}/${list}` },
  user,
})

const debian = (version: string, codename: string): WellKnownImage =>
  published('Debian', version, 'debian', [
    `https://cloud.debian.org/images/cloud/${codename}/latest`,
    `debian-${version}-genericcloud-amd64.qcow2`,
    'SHA512SUMS',
  ])
const ubuntu = (version: string, codename: string): WellKnownImage =>
  published('Ubuntu', version, 'ubuntu', [
    `https://cloud-images.ubuntu.com/releases/${codename}/release`,
    `ubuntu-${version}-server-cloudimg-amd64.img`,
    'SHA256SUMS',
  ])

/**
 * The list until an operator replaces it. Files change with each release of their publisher, and
 * the lists of checksums beside them do as well.
 */
export const defaultImageCatalog: readonly WellKnownImage[] = [
  debian('13', 'trixie'),
  debian('12', 'bookworm'),
  ubuntu('24.04', 'noble'),
  ubuntu('22.04', 'jammy'),
  published('Fedora', '44', 'fedora', [
    'https://download.fedoraproject.org/pub/fedora/linux/releases/44/Cloud/x86_64/images',
    'Fedora-Cloud-Base-Generic-44-1.7.x86_64.qcow2',
    'Fedora-Cloud-44-1.7-x86_64-CHECKSUM',
  ]),
  published('AlmaLinux', '9', 'almalinux', [
    'https://repo.almalinux.org/almalinux/9/cloud/x86_64/images',
    'AlmaLinux-9-GenericCloud-latest.x86_64.qcow2',
    'CHECKSUM',
  ]),
  published('Rocky Linux', '9', 'rocky', [
    'https://dl.rockylinux.org/pub/rocky/9/images/x86_64',
    'Rocky-9-GenericCloud-Base.latest.x86_64.qcow2',
    'Rocky-9-GenericCloud-Base.latest.x86_64.qcow2.CHECKSUM',
  ]),
  published('Alpine Linux', '3.23', 'alpine', [
    'https://dl-cdn.alpinelinux.org/alpine/v3.23/releases/cloud',
    'nocloud_alpine-3.23.4-x86_64-bios-cloudinit-r0.qcow2',
    'nocloud_alpine-3.23.4-x86_64-bios-cloudinit-r0.qcow2.sha512',
  ]),
  published('Arch Linux', '', 'arch', [
    'https://geo.mirror.pkgbuild.com/images/latest',
    'Arch-Linux-x86_64-cloudimg.qcow2',
    'Arch-Linux-x86_64-cloudimg.qcow2.SHA256',
  ]),
]

const normal = (text: string): string => text.trim().toLowerCase()

/** Names that a shell reads as they are, so that a command with them can be copied. */
const USER_NAME = /^[a-z_][a-z0-9_.-]{0,31}$/i

/**
 * The user that an image makes at its first boot, by the well-known image with its system and
 * version, or by all with its system if they have the same user.
 * @returns undefined if that is unknown, or no name of a user
 */
export function loginUserOf(
  image: Pick<WellKnownImage, 'os' | 'version'>,
  catalog: readonly Pick<WellKnownImage, 'os' | 'version' | 'user'>[],
): string | undefined {
  const ofSystem = catalog.filter(({ os }) => os !== '' && normal(os) === normal(image.os))
  const same = ofSystem.filter(({ version }) => normal(version) === normal(image.version))
  const users = new Set((same.length > 0 ? same : ofSystem).map(({ user }) => user))
  const [user] = users
  return users.size === 1 && user !== undefined && USER_NAME.test(user) ? user : undefined
}

export const imageCatalogMessages = {
  tooMany: `there may be at most ${IMAGE_CATALOG_MAX} well-known images`,
  taken: 'Another image has this name',
  noName: 'each image needs a name',
  sameName: (name: string) => `two images have the name "${name}"`,
} as const
