import { Password } from '../auth/schemas.ts'
import {
  boolean,
  dateTime,
  filledText,
  list,
  longText,
  named,
  oneOf,
  record,
  shortText,
  string,
  tagged,
  uint32,
  uuid,
} from '../../schema.ts'
import { PASSKEY_NAME_MAX, secondFactorKinds, secondFactorPolicies } from './rules.ts'

const Policy = named('SecondFactorPolicy', oneOf(...secondFactorPolicies))

/** Requirement of a silo for the sign-in of its local users. */
export const SignInPolicy = record('SignInPolicy', {
  /** `required`: a passkey or one-time passwords; `passkey`: a passkey. */
  second_factor: Policy,
})

const PasskeyName = filledText(PASSKEY_NAME_MAX)

export const Passkey = record('Passkey', {
  id: uuid,
  name: string,
  time_created: dateTime,
  time_last_used: dateTime.nullable(),
  /** Host name at which it can be used. */
  host: string,
  /** Whether it is copied between devices, such as by the account of a vendor. */
  synced: boolean,
})

export const SignInSecurity = record('SignInSecurity', {
  /** Whether the user signs in with a password here; the others have no factors here. */
  local: boolean,
  /** Whether changes need the password. */
  has_password: boolean,
  /** When one-time passwords were set up; null if they were not. */
  time_totp: dateTime.nullable(),
  passkeys: list(Passkey),
  /** Number of unused recovery codes. */
  recovery_codes: uint32,
  /** Requirement of the silo. */
  policy: Policy,
})

export const SecondFactorKind = named('SecondFactorKind', oneOf(...secondFactorKinds))

export const FactorSetupRequest = record('FactorSetupRequest', { type: SecondFactorKind })

/** The beginning of a setup. */
export const FactorSetup = named(
  'FactorSetup',
  tagged('type', {
    /** `secret` in base32, and `uri` for a QR code. */
    totp: { secret: string, uri: string },
    /** JSON of `PublicKeyCredentialCreationOptions`. */
    passkey: { options: string },
  }),
)

export const NewFactor = named(
  'NewFactor',
  tagged('type', {
    /** The secret of the setup, and a one-time password made with it. */
    totp: { secret: shortText, code: shortText },
    /** JSON of the `RegistrationResponse` of the browser. */
    passkey: { name: PasskeyName, response: longText },
  }),
)

export const FactorAdd = record('FactorAdd', {
  /** Required from users with a password. */
  current_password: Password.nullable().optional(),
  factor: NewFactor,
})

/** Recovery codes, which are shown only once; null if the user had some already. */
export const RecoveryCodes = record('RecoveryCodes', { recovery_codes: list(string).nullable() })

export const OwnPasswordProof = record('OwnPasswordProof', {
  current_password: Password.nullable().optional(),
})

export const FactorRemove = record('FactorRemove', {
  current_password: Password.nullable().optional(),
  factor: named('RemovedFactor', tagged('type', { totp: {}, passkey: { id: uuid } })),
})

export const PasskeyUpdate = record('PasskeyUpdate', { name: PasskeyName })

export const SecondFactorUse = named(
  'SecondFactorUse',
  tagged('type', {
    totp: { code: shortText },
    recovery_code: { code: shortText },
    /** JSON of the `AuthenticationResponse` of the browser. */
    passkey: { response: longText },
  }),
)

/** The present step of a sign-in after the password. */
export const SecondFactorStep = record('SecondFactorStep', {
  username: string,
  /** Factors of which one is to be used; none if one has to be set up. */
  methods: list(named('SecondFactorMethod', oneOf('totp', 'passkey', 'recovery_code'))),
  /** JSON of `PublicKeyCredentialRequestOptions`; null without a passkey at this host. */
  passkey_options: string.nullable(),
  /** Factors of which one has to be set up. */
  setup: list(SecondFactorKind),
})

/** Whether the user is signed in; otherwise another step is left. */
export const SecondFactorResult = record('SecondFactorResult', { signed_in: boolean })

export const PasskeyOptions = record('PasskeyOptions', { options: string })
export const PasskeyLogin = record('PasskeyLogin', { response: longText })
