import type { BlockList } from 'node:net'
import { SAML_METADATA_FETCH_MS } from '@steading/api/rules'
import type { Saml } from '@steading/control-plane/ports'
import type { OutgoingProxy } from '../outgoing/proxy.ts'
import { fetchMetadata } from './fetch-metadata.ts'
import { requireKeyPair, signText } from './key-pair.ts'

/**
 * SAML with `xml-crypto`. The XML parsers are loaded on first use, because they would slow down
 * every start.
 * @param networks from which metadata may be fetched, besides the public internet
 * @param proxy through which it is fetched
 */
export const createSaml = (networks?: BlockList, proxy?: OutgoingProxy): Saml => ({
  fetchMetadata: (url) => fetchMetadata(url, networks, SAML_METADATA_FETCH_MS, proxy),
  readMetadata: async (xml) => (await import('./metadata.ts')).readMetadata(xml),
  requireKeyPair: async (pair) => requireKeyPair(pair),
  signIn: {
    sign: async (text, privateKey) => signText(text, privateKey),
    readResponse: async (xml) => (await import('./response.ts')).readResponse(xml),
  },
})
