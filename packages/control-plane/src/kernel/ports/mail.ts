/** A mail with one recipient. */
export interface MailMessage {
  to: string
  subject: string
  text: string
  html: string
  /** Identifies the mail, so that a receiver recognises a repeated one. No spaces or brackets. */
  id: string
  /** Further headers, such as those of RFC 8058. */
  headers: Readonly<Record<string, string>>
}

/** The result of an attempt to send a mail. */
export type MailSent =
  /** The mail server has taken over responsibility for it. */
  | 'sent'
  /**
   * `server` is a problem of the mail server, which may take the mail later; `recipient` is the
   * refusal of this address.
   */
  | { failed: 'server' | 'recipient'; problem: string }
  /** The host is stopping, and the result of the attempt is not known. */
  | 'cut_off'

/** Access to the mail server that operators have configured. */
export interface Mail {
  /** Hands a mail over to the mail server. It ends within a minute. */
  send: (message: MailMessage) => Promise<MailSent>
  /** Cuts off all attempts, so that the host need not wait for them. */
  close: () => void
}
