/** Responses of identity providers: their claims, and which of these are signed. */
import { SAML_ELEMENTS_MAX, samlMessages } from '@steading/api/rules'
import {
  SamlError,
  type SamlResponse,
  type SignedAssertion,
  type SubjectConfirmation,
} from '@steading/control-plane/ports'
import { signedText } from './signatures.ts'
import {
  attribute,
  childElements,
  children,
  elementsOf,
  isNamed,
  parseXml,
  textOf,
  XmlError,
} from './xml.ts'

const reading = { comments: false, elements: SAML_ELEMENTS_MAX.response }

const refuse = (reason: string): never => {
  throw new SamlError(samlMessages.extract(reason))
}

/** Text of the only child with a name; undefined if there are none or several. */
function onlyText(parent: Element, name: string): string | undefined {
  const [first, ...more] = children(parent, 'assertion', name)
  return first && more.length === 0 ? textOf(first) : undefined
}

/** Refuses a document in which an id occurs twice, by any reader's notion of an id. */
function checkIds(root: Element): void {
  const ids = new Set<string>()
  for (const element of elementsOf(root)) {
    for (const { localName, value } of Array.from(element.attributes)) {
      if (localName.toLowerCase() !== 'id') continue
      if (ids.has(value)) refuse('an ID occurs twice in the document')
      ids.add(value)
    }
  }
}

/**
 * The only assertion of a response, and the signatures of both. Neither may occur anywhere else.
 */
function partsOf(root: Element) {
  const all = [...elementsOf(root)]
  const named = (name: string) => all.filter((element) => isNamed(element, 'assertion', name))
  if (named('EncryptedAssertion').length > 0) refuse('encrypted assertions are not supported')
  const assertions = named('Assertion')
  const [assertion] = assertions
  if (!assertion) return refuse('there is no assertion')
  if (assertions.length > 1) refuse('there is more than one assertion')
  if (assertion.parentNode !== root) refuse('the assertion is not where it belongs')
  if (all.some((element) => element !== root && isNamed(element, 'protocol', 'Response'))) {
    refuse('there is more than one response')
  }
  const signatures = all.filter((element) => isNamed(element, 'signature', 'Signature'))
  const signatureOf = (parent: Element): Element | undefined => {
    const [first, ...more] = signatures.filter(({ parentNode }) => parentNode === parent)
    if (more.length > 0) refuse('an element has more than one signature')
    return first
  }
  const own = signatureOf(assertion)
  const whole = signatureOf(root)
  if (signatures.length > [own, whole].filter(Boolean).length) {
    refuse('a signature is not where it belongs')
  }
  if (!own) throw new SamlError(samlMessages.unsigned)
  return { assertion, own, whole }
}

function readConfirmation(element: Element): SubjectConfirmation {
  const [data] = children(element, 'assertion', 'SubjectConfirmationData')
  const of = (name: string) => (data ? attribute(data, name) : undefined)
  return {
    method: attribute(element, 'Method'),
    recipient: of('Recipient'),
    notBefore: of('NotBefore'),
    notOnOrAfter: of('NotOnOrAfter'),
    inResponseTo: of('InResponseTo'),
  }
}

function readSubject(assertion: Element): SignedAssertion['subject'] {
  const [subject, ...more] = children(assertion, 'assertion', 'Subject')
  if (!subject) return undefined
  if (more.length > 0) refuse('there is more than one subject')
  const [name] = children(subject, 'assertion', 'NameID')
  return {
    nameId: onlyText(subject, 'NameID'),
    nameFormat: name && attribute(name, 'Format'),
    confirmations: children(subject, 'assertion', 'SubjectConfirmation').map(readConfirmation),
  }
}

const knownConditions = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

function readConditions(assertion: Element): SignedAssertion['conditions'] {
  const [conditions, ...more] = children(assertion, 'assertion', 'Conditions')
  if (!conditions || more.length > 0) return undefined
  return {
    notBefore: attribute(conditions, 'NotBefore'),
    notOnOrAfter: attribute(conditions, 'NotOnOrAfter'),
    audiences: children(conditions, 'assertion', 'AudienceRestriction').map((restriction) =>
      children(restriction, 'assertion', 'Audience').flatMap((each) => textOf(each) ?? []),
    ),
    unknown: childElements(conditions)
      .filter((child) => !knownConditions.some((name) => isNamed(child, 'assertion', name)))
      .map(({ localName }) => localName),
  }
}

function readAssertion(text: string): SignedAssertion {
  const root = parseXml(text, reading)
  if (!isNamed(root, 'assertion', 'Assertion'))
    refuse('the signature covers something other than the assertion')
  return {
    id: attribute(root, 'ID') ?? '',
    version: attribute(root, 'Version'),
    issuer: onlyText(root, 'Issuer'),
    issueInstant: attribute(root, 'IssueInstant'),
    subject: readSubject(root),
    conditions: readConditions(root),
    authentications: children(root, 'assertion', 'AuthnStatement').map((statement) => ({
      authnInstant: attribute(statement, 'AuthnInstant'),
      sessionNotOnOrAfter: attribute(statement, 'SessionNotOnOrAfter'),
    })),
    attributes: children(root, 'assertion', 'AttributeStatement')
      .flatMap((statement) => children(statement, 'assertion', 'Attribute'))
      .map((each) => ({
        name: attribute(each, 'Name') ?? '',
        values: children(each, 'assertion', 'AttributeValue').flatMap(
          (value) => textOf(value) ?? [],
        ),
      })),
  }
}

/** Runs a reader; any unexpected error refuses the document. */
function refusing<T>(message: (reason: string) => string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof SamlError) throw error
    throw new SamlError(message(error instanceof XmlError ? error.message : 'it cannot be read'))
  }
}

function statusOf(root: Element): string[] {
  const codes: string[] = []
  let [next] = children(root, 'protocol', 'Status').flatMap((status) =>
    children(status, 'protocol', 'StatusCode'),
  )
  while (next) {
    codes.push(attribute(next, 'Value') ?? '')
    next = children(next, 'protocol', 'StatusCode')[0]
  }
  return codes
}

/** @throws SamlError */
export function readResponse(xml: string): SamlResponse {
  const root = refusing(samlMessages.parse, () => {
    const element = parseXml(xml, reading)
    if (!isNamed(element, 'protocol', 'Response')) throw new XmlError('it is not a samlp:Response')
    return element
  })
  return {
    version: attribute(root, 'Version'),
    issuer: onlyText(root, 'Issuer'),
    destination: attribute(root, 'Destination'),
    inResponseTo: attribute(root, 'InResponseTo'),
    status: statusOf(root),
    assertion: (certificates) =>
      refusing(samlMessages.extract, () => {
        const { assertion, own, whole } = partsOf(root)
        checkIds(root)
        if (whole) signedText(xml, root, whole, certificates)
        return readAssertion(signedText(xml, assertion, own, certificates))
      }),
  }
}
