/** The guest as its user reaches it: by SSH, with a key of their own. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Wire } from '@steading/api'

/** The reason why nobody signs in by SSH here; undefined if they can. */
export const sshMissing = (): string | undefined =>
  spawnSync('ssh', ['-V']).status === 0 ? undefined : 'apt-get install openssh-client'

export interface SshKey {
  publicKey: string
  /** Path of the private key. */
  file: string
  /**
   * Runs a command as root in the guest behind a forwarded port.
   * @param input bytes for the command
   * @returns its output
   */
  run: (
    endpoint: Pick<Wire.InstanceEndpoint, 'host_ip' | 'host_port'>,
    command: string,
    input?: Uint8Array,
  ) => Promise<string>
}

/**
 * Makes a key.
 * @param file a new file for it
 */
export function makeSshKey(file: string): SshKey {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  // Guests have new keys of their own with each test.
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'BatchMode=yes']
  return {
    publicKey: readFileSync(`${file}.pub`, 'utf8').trim(),
    file,
    run: ({ host_ip, host_port }, command, input) =>
      new Promise((resolve, reject) => {
        const ssh = execFile(
          'ssh',
          [
            '-i',
            file,
            '-p',
            String(host_port),
            ...options.flatMap((option) => ['-o', option]),
            `root@${host_ip}`,
            command,
          ],
          (error, stdout) => (error ? reject(error) : resolve(stdout.trim())),
        )
        // A connection that ended early fails by its exit code.
        ssh.stdin!.on('error', () => {})
        ssh.stdin!.end(input)
      }),
  }
}
