import { Password } from '../auth/schemas.ts'
import { MAIL_ADDRESS_MAX } from '../../observability/notifications/rules.ts'
import {
  boolean,
  dateTime,
  Name,
  named,
  oneOf,
  record,
  ruledText,
  shortText,
  string,
  UserId,
} from '../../schema.ts'
import { linkDeliveries, userLinkPurposes } from './rules.ts'

/** Validated by `mailAddressProblem`. */
const MailAddress = ruledText(MAIL_ADDRESS_MAX, { format: 'email' })
const UserLinkPurpose = named('UserLinkPurpose', oneOf(...userLinkPurposes))

export const UserLinkCreate = record('UserLinkCreate', {
  /** Sent by mail, or answered to be handed over by the caller. */
  delivery: named('UserLinkDelivery', oneOf(...linkDeliveries)),
  /** Becomes the mail address of the user. Omitted, the user keeps the present one. */
  mail_address: MailAddress.optional(),
})

/** A link for a password. It replaces the earlier link of the user. */
export const UserLink = record('UserLink', {
  purpose: UserLinkPurpose,
  time_expires: dateTime,
  /** The secret at the end of the link, which is in no other answer; null if it is sent by mail. */
  token: string.nullable(),
  /** The link; null if it is sent by mail, or the server does not know its public address. */
  url: string.nullable(),
  /** The address to which it is sent; null if it is handed over by the caller. */
  mail_address: string.nullable(),
})

export const UserMailAddressUpdate = record('UserMailAddressUpdate', {
  mail_address: MailAddress.nullable(),
})

/** The mail address of a user. Forgotten passwords are only sent to a confirmed one. */
export const OwnMailAddress = record('OwnMailAddress', {
  mail_address: string.nullable(),
  confirmed: boolean,
})

export const OwnMailAddressUpdate = record('OwnMailAddressUpdate', {
  mail_address: MailAddress.nullable(),
  current_password: Password,
})

export const UserLinkToken = record('UserLinkToken', { token: shortText })

/** The purpose of a link, shown before it is used. */
export const UserLinkView = record('UserLinkView', {
  purpose: UserLinkPurpose,
  silo_name: Name,
  user_name: string,
  /** The address that the link confirms; null if it confirms none. */
  mail_address: string.nullable(),
  time_expires: dateTime,
})

export const UserLinkUse = record('UserLinkUse', {
  token: shortText,
  /** The new password; required unless the link only confirms an address. */
  password: Password.optional(),
})

export const ForgottenPassword = record('ForgottenPassword', { username: UserId })
