/** The words of messages: plain text and HTML for mails, and the formats of chats. */
import {
  escapeHtml,
  linkMail,
  type MailBodies,
  mailLink,
  mailPage,
} from '../../../kernel/mail-page.ts'
import {
  counted,
  type IssueSeverity,
  notificationWord,
  type NotificationStateName,
} from '@steading/api/rules'

/** A notification in a message. */
export interface MessageItem {
  id: string
  kind: string
  topic: string
  severity: IssueSeverity
  state: NotificationStateName
  sentence: string
  /** Address of its page of the console. */
  url: string
  times: number
  time_changed: string
}

export interface Message {
  items: readonly MessageItem[]
  /** Number of further notifications that are not listed. */
  more: number
  /** Address of the page with all notifications. */
  url: string
  isTest: boolean
}

/** A sentence may quote the words of an error, with line breaks. */
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const again = ({ times }: MessageItem): string => (times > 1 ? ` (${times} times)` : '')

const SUBJECT_MAX = 180
const shortened = (text: string): string =>
  text.length <= SUBJECT_MAX ? text : `${text.slice(0, SUBJECT_MAX - 1)}…`

export const TEST_SENTENCE = 'This is a test message. Nothing has happened.'

export const lineOf = (item: MessageItem): string =>
  `${notificationWord(item)}: ${inOneLine(item.sentence)}${again(item)}`

/** The first line of a message. */
export function headline({ items, more, isTest }: Message): string {
  if (isTest) return TEST_SENTENCE
  const [only] = items
  if (only && items.length === 1 && more === 0) return shortened(lineOf(only))
  const critical = items.filter(
    ({ severity, state }) => severity === 'critical' && state === 'open',
  ).length
  const resolved = items.filter(({ state }) => state === 'resolved').length
  const parts = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(resolved > 0 ? [`${resolved} resolved`] : []),
  ]
  const all = counted(items.length + more, 'notification')
  return more > 0 || parts.length === 0 ? all : `${all}: ${parts.join(', ')}`
}

const moreWords = ({ more }: Message): string | undefined =>
  more > 0 ? `And ${counted(more, 'further notification')}.` : undefined

export const utc = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`

/** The end of a mail: why it was sent, and how to stop it. */
export interface MailFooter {
  reason: string
  settingsUrl: string
  unsubscribeUrl: string
}

const colours: Record<string, string> = {
  Critical: '#b42318',
  Warning: '#93610a',
  Resolved: '#18794e',
}

export function mailOf(message: Message, footer: MailFooter): MailBodies {
  const lines = message.items.map(
    (item) => `${lineOf(item)}\n${utc(item.time_changed)}\n${item.url}`,
  )
  const more = moreWords(message)
  const intro = message.isTest ? TEST_SENTENCE : undefined
  const text = [
    ...(intro ? [intro] : []),
    ...lines,
    ...(more ? [more] : []),
    `All notifications: ${message.url}`,
    `-- \n${footer.reason}\nChange the subscription: ${footer.settingsUrl}\nUnsubscribe: ${footer.unsubscribeUrl}\n`,
  ].join('\n\n')
  const items = message.items.map((item) => {
    const label = notificationWord(item)
    return `<div style="padding:12px 0;border-top:1px solid #8884">
<div style="font-size:13px"><strong style="color:${colours[label]}">${label}</strong> · ${utc(item.time_changed)}</div>
<div>${escapeHtml(inOneLine(item.sentence))}${again(item)}</div>
<div style="font-size:13px">${mailLink(item.url, 'Open in the console')}</div>
</div>`
  })
  const html = mailPage(
    [
      `<h1 style="font-size:18px;margin:0 0 12px">${escapeHtml(headline(message))}</h1>`,
      ...items,
      ...(more ? [`<p>${more}</p>`] : []),
      `<p>${mailLink(message.url, 'All notifications')}</p>`,
      `<p style="font-size:13px;color:#777">${escapeHtml(footer.reason)}<br>${mailLink(footer.settingsUrl, 'Change the subscription')} · ${mailLink(footer.unsubscribeUrl, 'Unsubscribe')}</p>`,
    ].join('\n'),
  )
  return { subject: headline(message), text, html }
}

/** The mail that asks the owner of an address whether notifications may be sent to it. */
export const confirmationMail = ({ who, url }: { who: string; url: string }): MailBodies =>
  linkMail({
    subject: 'Confirm this address for notifications',
    asks: [`${who} would like to have notifications of the cloud sent to this address.`],
    url,
    action: 'Confirm the address',
    otherwise: 'If you do not know of this, ignore this mail: nothing else will be sent.',
  })

const inSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A message for an incoming webhook of Slack, with its text for notices and its blocks. */
export function slackOf(message: Message): object {
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })
  const more = moreWords(message)
  return {
    text: inSlack(headline(message)),
    blocks: [
      ...(message.isTest ? [section(TEST_SENTENCE)] : []),
      ...message.items.map((item) =>
        section(
          // Slack refuses longer texts.
          `*${notificationWord(item)}* ${inSlack(inOneLine(item.sentence)).slice(0, 2_500)}${again(item)} <${item.url}|Open>`,
        ),
      ),
      section(`${more ? `${more} ` : ''}<${message.url}|All notifications>`),
    ],
  }
}

const cardColours: Record<string, string> = {
  Critical: 'attention',
  Warning: 'warning',
  Resolved: 'good',
}

/** An adaptive card for a workflow of Teams. */
export function teamsOf(message: Message): object {
  const block = (text: string, more: object = {}) => ({
    type: 'TextBlock',
    text,
    wrap: true,
    ...more,
  })
  const furtherWords = moreWords(message)
  // Texts of cards are Markdown; a backslash makes its characters plain.
  const plain = (text: string) => text.replaceAll(/[\\`*_[\]()#<>~|!]/g, String.raw`\$&`)
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(plain(headline(message)), { weight: 'bolder', size: 'medium' }),
            ...message.items.flatMap((item) => [
              block(notificationWord(item), {
                color: cardColours[notificationWord(item)],
                weight: 'bolder',
                separator: true,
              }),
              block(
                `${plain(inOneLine(item.sentence))}${again(item)} [Open](${item.url.replaceAll(')', '%29')})`,
                { spacing: 'none' },
              ),
            ]),
            ...(furtherWords ? [block(furtherWords)] : []),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'All notifications', url: message.url }],
        },
      },
    ],
  }
}

/** The content of a message event of Matrix. */
export function matrixOf(message: Message): object {
  const more = moreWords(message)
  const lines = message.isTest ? [TEST_SENTENCE] : message.items.map(lineOf)
  const items = message.items.map(
    (item) =>
      `<li><strong>${notificationWord(item)}</strong> ${escapeHtml(inOneLine(item.sentence))}${again(item)} ${mailLink(item.url, 'Open')}</li>`,
  )
  return {
    msgtype: 'm.text',
    body: [...lines, ...(more ? [more] : []), message.url].join('\n'),
    format: 'org.matrix.custom.html',
    formatted_body: `${message.isTest ? `<p>${TEST_SENTENCE}</p>` : `<ul>${items.join('')}</ul>`}${more ? `<p>${more}</p>` : ''}${mailLink(message.url, 'All notifications')}`,
  }
}
