/** The words of mails with links. */
import type { UserLinkPurpose } from '@steading/api/rules'
import { linkMail, type MailBodies } from '../../../kernel/mail-page.ts'

export interface LinkFacts {
  userName: string
  siloName: string
  url: string
  /** When the link ends. */
  expires: Date
}

const untilWords = (expires: Date): string =>
  `${expires.toISOString().slice(0, 16).replace('T', ' ')} UTC`

type Words = Omit<Parameters<typeof linkMail>[0], 'url'>

const words: Record<UserLinkPurpose, (facts: LinkFacts) => Words> = {
  invitation: ({ userName, siloName, expires }) => ({
    subject: `Your invitation to ${siloName}`,
    asks: [
      `You have been invited to the cloud: silo ${siloName}, user name ${userName}.`,
      `Choose a password to sign in. The link works once, until ${untilWords(expires)}.`,
    ],
    action: 'Choose a password',
    otherwise: 'If you do not expect an invitation, ignore this mail.',
  }),
  password: ({ userName, siloName, expires }) => ({
    subject: `Set a new password for ${siloName}`,
    asks: [
      `Somebody has asked for a new password for user ${userName} of silo ${siloName}.`,
      `The link works once, until ${untilWords(expires)}. The present password stays valid until then.`,
    ],
    action: 'Set a new password',
    otherwise: 'If this was not you, ignore this mail: nothing changes.',
  }),
  address: ({ userName, siloName }) => ({
    subject: 'Confirm your mail address',
    asks: [
      `This is to be the mail address of user ${userName} of silo ${siloName}. It is used for forgotten passwords.`,
    ],
    action: 'Confirm the address',
    otherwise: 'If you do not know of this, ignore this mail.',
  }),
}

export const linkMailOf = (purpose: UserLinkPurpose, facts: LinkFacts): MailBodies =>
  linkMail({ ...words[purpose](facts), url: facts.url })
