import type { BlockList } from 'node:net'
import type { Saml } from '@steading/control-plane/ports'
import { fetchMetadata } from './fetch-metadata.ts'
import { requireKeyPair, signText } from './key-pair.ts'

/**
 * SAML with `xml-crypto`. The XML parsers are loaded on first use, because they would slow down
 * every start.
 * @param networks from which metadata may be fetched, besides the public internet
 */
export const createSaml = (networks?: BlockList): Saml => ({
  fetchMetadata: (url) => fetchMetadata(url, networks),
  readMetadata: async (xml) => (await import('./metadata.ts')).readMetadata(xml),
  requireKeyPair: async (pair) => requireKeyPair(pair),
  signIn: {
    sign: async (text, privateKey) => signText(text, privateKey),
    readResponse: async (xml) => (await import('./response.ts')).readResponse(xml),
  },
})
