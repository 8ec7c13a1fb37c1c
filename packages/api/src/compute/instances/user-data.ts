/**
 * User data: the formats that cloud-init recognizes, and examples. The control plane takes any
 * bytes, since guests may have other ways to read them.
 */
import { base64ToUint8Array } from 'uint8array-extras'

export const CLOUD_CONFIG = '#cloud-config'
const SCRIPT = '#!'

/** Beginnings of the other formats, in lower case. */
const otherFormats = [
  '#cloud-config-archive',
  '#cloud-config-jsonp',
  '#cloud-boothook',
  '#include',
  '#part-handler',
  '#upstart-job',
  '## template: jinja',
]
/** Marks a message of several parts, if it is among the first characters. */
const MESSAGE = 'mime-version:'
const MESSAGE_WITHIN = 4096

/** An invisible mark at the beginning of a text, written by some editors. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** `other` is a format whose contents nobody but the guest checks. */
export type UserDataFormat = 'cloudConfig' | 'script' | 'other' | 'unknown'

/**
 * The format of user data, as cloud-init decides it: by the first characters after blanks, without
 * regard to case.
 */
export function userDataFormat(text: string): UserDataFormat {
  const start = text.slice(0, MESSAGE_WITHIN).toLowerCase()
  if (start.includes(MESSAGE)) return 'other'
  const first = start.replace(/^[^\S\uFEFF]+/, '')
  if (otherFormats.some((begin) => first.startsWith(begin))) return 'other'
  if (first.startsWith(CLOUD_CONFIG)) return 'cloudConfig'
  return first.startsWith(SCRIPT) ? 'script' : 'unknown'
}

/** Whether a text is user data in Base64. The form takes plain text, and encodes it itself. */
export function isEncodedUserData(text: string): boolean {
  const base64 = text.replace(/\s/g, '')
  if (base64.length < 8 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return false
  try {
    const bytes = base64ToUint8Array(base64)
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
    return isGzip || userDataFormat(new TextDecoder().decode(bytes)) !== 'unknown'
  } catch {
    return false
  }
}

/** Remarks about user data. None of them forbids to send it. */
export const userDataRemarks = {
  unknown: `cloud-init recognizes user data by its first line: ${CLOUD_CONFIG}, or ${SCRIPT} and the interpreter of a script, such as ${SCRIPT}/bin/sh. It ignores this text.`,
  mark: 'This begins with an invisible mark (BOM) that cloud-init does not read past, so it ignores the rest',
  utf16: 'This is in UTF-16, which cloud-init does not read: save it in UTF-8',
  base64:
    'This is Base64, which cloud-init does not decode: enter the plain text, which is encoded when it is sent',
  damaged: 'This is compressed by gzip, but damaged',
  noInterpreter: `The first line needs the path of an interpreter after ${SCRIPT}, such as ${SCRIPT}/bin/sh`,
  notKeys: 'A cloud-config consists of keys with values, such as “packages: [nginx]”',
  unknownAlias: (name: string) => `No anchor &${name} precedes the alias *${name}`,
  tooDeep: 'This is nested too deeply',
} as const

/** Whether a script names its interpreter. */
export const hasInterpreter = (script: string): boolean => /^#![ \t]*\/\S/.test(script)

/** Device of the first disk besides the boot disk, in a guest with disks of each kind. */
export const secondDiskDevices = { nvme: '/dev/nvme1n1', virtio: '/dev/vdb' } as const

const lines = (...all: string[]): string => `${all.join('\n')}\n`

/** Examples of user data; the first line of each is its format. */
export const userDataExamples: readonly {
  title: string
  /**
   * @param own.key public SSH key of the user
   * @param own.device of the second disk
   */
  text: (own: { key: string; device: string }) => string
}[] = [
  {
    title: 'Packages and a service',
    text: () =>
      lines(
        CLOUD_CONFIG,
        'package_update: true',
        'packages:',
        '  - nginx',
        'write_files:',
        '  - path: /var/www/html/index.html',
        '    content: |',
        '      <h1>Hello</h1>',
        'runcmd:',
        '  - systemctl enable --now nginx',
      ),
  },
  {
    title: 'A user with a key',
    text: ({ key }) =>
      lines(
        CLOUD_CONFIG,
        'users:',
        '  - default',
        '  - name: ada',
        '    groups: [sudo]',
        '    shell: /bin/bash',
        '    sudo: ALL=(ALL) NOPASSWD:ALL',
        '    ssh_authorized_keys:',
        `      - ${JSON.stringify(key)}`,
      ),
  },
  {
    title: 'A script',
    text: () =>
      lines(
        `${SCRIPT}/bin/sh`,
        '# Runs as root, at the end of the first boot.',
        'set -eu',
        'echo "Started on $(date)" >> /var/log/first-boot.log',
      ),
  },
  {
    title: 'A second disk',
    text: ({ device }) =>
      lines(
        CLOUD_CONFIG,
        '# A file system is made only if the disk has none.',
        'fs_setup:',
        `  - device: ${device}`,
        '    partition: none',
        '    filesystem: ext4',
        '    overwrite: false',
        'mounts:',
        `  - [${device}, /srv/data, ext4, "defaults,nofail"]`,
      ),
  },
]
