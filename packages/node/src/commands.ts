/** Commands of the command line. The code of each is loaded when it runs. */
import type { ServerConfig } from './config.ts'
import type { ServerLog } from './log.ts'

/** A command line as passed to a command. */
export interface Call {
  operands: readonly string[]
  /**
   * Reads the options and the environment.
   * @throws StartError with one line for the operator
   */
  config: () => ServerConfig
  log: ServerLog
  /** Called once the configuration of a server is valid. */
  prepare: () => Promise<void>
}

/** A command of the command line. */
export interface Command {
  /** Arguments before the options. */
  operands: readonly string[]
  /** Line in the list of commands. */
  summary: string
  /** Additional sentences of the command's own help. */
  details: string
  /** Operands and options of a typical call. */
  example: string
  /** Relevant flags; undefined for all of them. */
  flags?: readonly string[]
  run: (call: Call) => Promise<void>
}

const ofDatabase = ['--data', '--database-url', '--log']
const ofDisks = ['--libvirt-volumes', '--shared-directory']

export const commands = {
  start: {
    operands: [],
    summary: 'run the server; also without a command',
    details:
      'Serves the API and the console until it is told to stop. The first start prints the ' +
      'password of the user admin of the silo main, once.',
    example: '--data /var/lib/steading --port 8080',
    async run({ config, prepare, log }) {
      const read = config()
      await prepare()
      const { serve } = await import('./serve.ts')
      await serve(read, log)
    },
  },
  backup: {
    operands: ['file'],
    summary: 'write all data to one file; servers may keep running',
    details: 'The file holds secrets, and the contents of disks.',
    example: 'steading.backup --data /var/lib/steading',
    flags: [...ofDatabase, '--libvirt', ...ofDisks],
    async run({ config, operands: [file] }) {
      const { runBackup } = await import('./backup/backup.ts')
      await runBackup(config(), file!)
    },
  },
  restore: {
    operands: ['file'],
    summary: 'create a data directory from a backup',
    details:
      'The data directory has to be new or empty, and a PostgreSQL database empty. Nothing is ' +
      'written before the whole file has passed its checksums. Disks of real machines are put into ' +
      'the first storage pool, and with --pool into the pool in which they were.',
    example: 'steading.backup --data /var/lib/steading',
    flags: [...ofDatabase, ...ofDisks, '--pool', '--ignore-room'],
    async run({ config, operands: [file] }) {
      const { runRestore } = await import('./backup/restore.ts')
      await runRestore(config(), file!)
    },
  },
  verify: {
    operands: ['file'],
    summary: 'check a backup without restoring it',
    details: 'Exits with 0 if the file is complete.',
    example: 'steading.backup',
    flags: ['--log'],
    async run({ config, operands: [file] }) {
      config()
      const { runVerify } = await import('./backup/restore.ts')
      await runVerify(file!)
    },
  },
  'reset-password': {
    operands: ['silo', 'user'],
    summary: 'give a user a new password and print it; servers may keep running',
    details: 'Ends the sessions and the access tokens of the user.',
    example: 'main admin --data /var/lib/steading',
    flags: [...ofDatabase, '--password-cost'],
    async run({ config, operands: [silo, user] }) {
      const { runResetPassword } = await import('./reset-password.ts')
      await runResetPassword(config(), silo!, user!)
    },
  },
  doctor: {
    operands: [],
    summary: 'list the problems of this installation',
    details:
      'Takes the options of the server and changes nothing; servers may run meanwhile. Each line ' +
      'begins with ok, warning or problem. Exits with 1 if there is a problem.',
    example: '--data /var/lib/steading --port 8080',
    async run({ config }) {
      const { runDoctor } = await import('./doctor/doctor.ts')
      if ((await runDoctor(config)) === 'problem') process.exitCode = 1
    },
  },
} satisfies Record<string, Command>

export type CommandName = keyof typeof commands

export const isCommand = (text: string): text is CommandName => Object.hasOwn(commands, text)
