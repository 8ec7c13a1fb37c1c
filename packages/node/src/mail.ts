import type { Mail, MailMessage, MailSent } from '@steading/control-plane/ports'
import { createTransport, type Transporter } from 'nodemailer'

/** Where mail is sent, and from which address. */
export interface MailConfig {
  /** `smtp://` or `smtps://`, perhaps with a user and a password. Secret. */
  url: string
  /** Header `From`: an address, perhaps with a name. */
  from: string
}

/** Milliseconds for the connection, for the greeting, and for any further answer. */
const CONNECT_MS = 10_000
const GREETING_MS = 10_000
const ANSWER_MS = 30_000
/** Milliseconds after which an attempt ends in any case. */
const ATTEMPT_MS = 55_000
/** Connections at the same time, and mails over one of them. */
const CONNECTIONS = 4
const MAILS_PER_CONNECTION = 100

/** Errors of the connection, in words without an address or a credential of the mail server. */
const problems: Record<string, string> = {
  ECONNECTION: 'cannot be reached',
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'has closed the connection',
  EDNS: 'has no known address',
  ENOTFOUND: 'has no known address',
  EAUTH: 'does not accept the user name and password',
  ETLS: 'has no acceptable TLS certificate',
  ESOCKET: 'cannot be reached',
  ETIMEDOUT: 'does not answer in time',
}

interface SmtpError {
  code?: string
  /** The SMTP command that was refused, and the code of the refusal. */
  command?: string
  responseCode?: number
}

/** 5xx answers about the recipient or the content are final; all others may pass. */
function failureOf(error: SmtpError): Exclude<MailSent, 'sent' | 'cut_off'> {
  const { code = '', command = '', responseCode } = error
  const isRefused = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined
  if (isRefused && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')) {
    return { failed: 'recipient', problem: `the mail server refused the mail (${responseCode})` }
  }
  if (isRefused) {
    return { failed: 'server', problem: `does not take the mail at present (${responseCode})` }
  }
  return { failed: 'server', problem: problems[code] ?? 'fails' }
}

/** Sends mail by SMTP (RFC 5321). Connections stay open for further mails. */
export function createMail({ url, from }: MailConfig, attemptMs: number = ATTEMPT_MS): Mail {
  const open = (): Transporter =>
    createTransport(
      {
        url,
        pool: true,
        maxConnections: CONNECTIONS,
        maxMessages: MAILS_PER_CONNECTION,
        connectionTimeout: CONNECT_MS,
        greetingTimeout: GREETING_MS,
        socketTimeout: ANSWER_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    )
  const transport = open()
  const closing = new AbortController()
  const domain = /@([^@\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'

  const send = async ({ to, subject, text, html, id, headers }: MailMessage): Promise<MailSent> => {
    const messageId = `<${id}@${domain}>`
    try {
      await transport.sendMail({
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId,
        headers,
      })
      return 'sent'
    } catch (error) {
      return failureOf(error as SmtpError)
    }
  }

  return {
    async send(message) {
      if (closing.signal.aborted) return 'cut_off'
      const { promise, resolve } = Promise.withResolvers<MailSent>()
      const cut = () => resolve('cut_off')
      closing.signal.addEventListener('abort', cut, { once: true })
      const late = setTimeout(
        () => resolve({ failed: 'server', problem: problems['ETIMEDOUT']! }),
        attemptMs,
      )
      try {
        return await Promise.race([send(message), promise])
      } finally {
        clearTimeout(late)
        closing.signal.removeEventListener('abort', cut)
      }
    },
    close() {
      closing.abort()
      transport.close()
    },
  }
}
