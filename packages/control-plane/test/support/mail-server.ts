/** A mail server on this machine, by a library of its own, that keeps what it takes. */
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  /** For `--smtp-url`. */
  url: string
  port: number
  /** Mails it has taken, in the order of their arrival. */
  mails: ParsedMail[]
  /** The next mails to an address are answered like this; 0 takes them. */
  answer: (address: string, code: number) => void
  /** Takes the content of mails, and never answers. */
  hang: (hangs: boolean) => void
  close: () => Promise<void>
}

/** @param port that of an earlier server, which is back */
export async function startMailServer(port = 0): Promise<MailServer> {
  const mails: ParsedMail[] = []
  const answers = new Map<string, number>()
  let hangs = false
  const server = new SMTPServer({
    authOptional: true,
    // Clients keep their connections.
    closeTimeout: 10,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'sesame' ? done(null, { user: username }) : done(new Error('wrong password')),
    onRcptTo({ address }, _session, done) {
      const code = answers.get(address) ?? 0
      if (code === 0) return done()
      done(Object.assign(new Error('refused'), { responseCode: code }))
    },
    onData(stream, _session, done) {
      simpleParser(stream).then(
        (mail) => {
          mails.push(mail)
          if (!hangs) done()
        },
        (error: unknown) => done(error as Error),
      )
    },
  })
  // Clients that are killed close their connections badly.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const own = (server.server.address() as AddressInfo).port
  return {
    url: `smtp://cloud:sesame@127.0.0.1:${own}`,
    port: own,
    mails,
    answer: (address, code) => void answers.set(address, code),
    hang: (value) => void (hangs = value),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
