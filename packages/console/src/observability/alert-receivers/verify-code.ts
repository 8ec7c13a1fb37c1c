/**
 * Code samples for receivers that verify the origin of a delivery. A test takes one from the
 * page and checks a delivery with it.
 */
import type { Language } from '../../workspace/as-code/highlight.ts'

const typescript = `import { createHmac, timingSafeEqual } from 'node:crypto'

// Whether a delivery was signed with a secret of the receiver.
// body: the bytes as they came, before they are parsed
// signatures: the header x-oxide-signature; several are joined by commas
export function isSigned(body, signatures, secret) {
  const expected = createHmac('sha256', secret).update(body).digest()
  return signatures.split(',').some((signature) => {
    const given = new URLSearchParams(signature.trim())
    const bytes = Buffer.from(given.get('s') ?? '', 'hex')
    return (
      given.get('a') === 'sha256' &&
      bytes.length === expected.length &&
      timingSafeEqual(bytes, expected)
    )
  })
}
`

const python = `import hashlib
import hmac
from urllib.parse import parse_qs

# Whether a delivery was signed with a secret of the receiver.
# body: the bytes as they came, before they are parsed
# signatures: the header x-oxide-signature; several are joined by commas
def is_signed(body: bytes, signatures: str, secret: str) -> bool:
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    for signature in signatures.split(","):
        given = parse_qs(signature.strip())
        matches = hmac.compare_digest(given.get("s", [""])[0], expected)
        if given.get("a") == ["sha256"] and matches:
            return True
    return False
`

export const verifyExamples: { id: Language; label: string; text: string }[] = [
  { id: 'typescript', label: 'Node.js', text: typescript },
  { id: 'python', label: 'Python', text: python },
]
