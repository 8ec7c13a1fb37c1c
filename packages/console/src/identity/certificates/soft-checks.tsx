import { coversHost, siloHost, zoneOfConsole } from '@steading/api/rules'
import type { X509Certificate } from '@steading/api/x509'
import { useEffect, useState } from 'react'
import { Banner } from '../../ui/banner.tsx'
import { formatDate } from '../../ui/time.tsx'

/** Maximum size of a file to parse; certificates are smaller. */
const READABLE_BYTES = 1024 * 1024

type Leaf =
  | (X509Certificate & {
      isExpired: boolean
      /** Position at which the chain is out of order. */
      brokenAt: number | undefined
      isIssuerFirst: boolean
      /** Issuer that the chain lacks. */
      missing: string | undefined
      /** Kind of key that most browsers refuse. */
      unusual: string | undefined
    })
  | null

async function readFile(file: File): Promise<Leaf> {
  if (file.size > READABLE_BYTES) return null
  const { beginsWithIssuer, chainBreak, missingIssuer, readChain, readLeaf, unusualKey } =
    await import('@steading/api/x509')
  const text = await file.text()
  const leaf = readLeaf(text)
  if (!leaf) return null
  const chain = readChain(text) ?? []
  return {
    ...leaf,
    isExpired: leaf.end <= new Date(),
    brokenAt: chainBreak(chain),
    isIssuerFirst: beginsWithIssuer(chain),
    missing: missingIssuer(chain),
    unusual: unusualKey(leaf),
  }
}

/** The leaf certificate in a file; null if there is none, undefined until known. */
function useLeaf(file: File): Leaf | undefined {
  const [read, setRead] = useState<{ file: File; leaf: Leaf }>()
  useEffect(() => {
    let active = true
    readFile(file).then(
      (leaf) => active && setRead({ file, leaf }),
      // A missing file or a lost connection says nothing about the certificate.
      () => {},
    )
    return () => void (active = false)
  }, [file])
  return read?.file === file ? read.leaf : undefined
}

/**
 * Warnings about a chosen certificate. They never block: the control plane decides.
 * @param silo without a name, its host names are not compared
 */
export function SoftChecks({ file, silo }: { file: File; silo: string }) {
  const certificate = useLeaf(file)
  if (certificate === undefined) return null
  if (certificate === null) {
    return (
      <Banner title="Couldn't parse certificate">
        Expected an X.509 certificate in the PEM format.
      </Banner>
    )
  }
  const host = siloHost(silo, zoneOfConsole(window.location.hostname))
  const { names, end, isExpired, brokenAt, isIssuerFirst, missing, unusual } = certificate
  const isForOthers = silo !== '' && !names.some((each) => coversHost(each, host))
  return (
    <>
      {isExpired && (
        <Banner variant="notice" title="Certificate expired">
          Expired on {formatDate(end)}.
        </Banner>
      )}
      {isIssuerFirst && (
        <Banner variant="notice" title="Chain begins with an issuer">
          Put the certificate of the server first.
        </Banner>
      )}
      {missing !== undefined && !isIssuerFirst && (
        <Banner variant="notice" title="Chain not complete">
          The certificate of the issuer {missing} is not in the file. Clients without that
          certificate may not trust the chain.
        </Banner>
      )}
      {unusual !== undefined && (
        <Banner variant="notice" title="Unusual key">
          Most browsers refuse certificates with {unusual} keys. Use P-256 or RSA.
        </Banner>
      )}
      {brokenAt !== undefined && !isIssuerFirst && (
        <Banner variant="notice" title="Chain not in order">
          Certificate {brokenAt} of the file is not the issuer of certificate {brokenAt - 1}. Some
          clients may not trust the certificate.
        </Banner>
      )}
      {isForOthers && (
        <Banner title="Certificate domain mismatch">
          Expected to match <b className="wrap-anywhere">{host}</b>
          <div className="mt-1">Found:</div>
          <ul className="ms-4 list-disc">
            {names.length === 0 && <li>no names</li>}
            {names.map((each) => (
              <li key={each} className="wrap-anywhere">
                {each}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </>
  )
}
