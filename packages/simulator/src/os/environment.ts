import { HOME, type Session } from './program.ts'

/** Environment variables of a shell. */
export const environment = ({ system, cwd }: Session): Record<string, string> => ({
  HOME,
  HOSTNAME: system.hostname,
  LANG: 'C.UTF-8',
  PATH: '/bin',
  PWD: cwd,
  SHELL: '/bin/sh',
  TERM: 'xterm-256color',
  USER: 'root',
})
