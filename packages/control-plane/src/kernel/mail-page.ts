/** The frame of mails. */

/** The subject of a mail, and its text in both forms. */
export interface MailBodies {
  subject: string
  text: string
  html: string
}

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

export const mailPage = (content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:24px;font:15px/1.5 system-ui,sans-serif">
<div style="max-width:600px;margin:0 auto">
${content}
</div></body></html>`

export const mailLink = (url: string, words: string): string =>
  `<a href="${escapeHtml(url)}">${escapeHtml(words)}</a>`

export interface LinkMail {
  subject: string
  /** Why the mail was sent, and further facts: a paragraph each. */
  asks: readonly string[]
  url: string
  /** Words of the link. */
  action: string
  /** The advice to somebody who did not expect the mail. */
  otherwise: string
}

/** A mail that asks to follow a link. */
export const linkMail = ({ subject, asks, url, action, otherwise }: LinkMail): MailBodies => ({
  subject,
  text: `${[...asks, `${action}: ${url}`, otherwise].join('\n\n')}\n`,
  html: mailPage(
    [
      ...asks.map((text) => `<p>${escapeHtml(text)}</p>`),
      `<p>${mailLink(url, action)}</p>`,
      `<p style="font-size:13px;color:#777">${escapeHtml(otherwise)}</p>`,
    ].join('\n'),
  ),
})
