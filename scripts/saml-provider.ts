/**
 * `node scripts/run.mjs saml-provider`: users sign in to a new server through an independent
 * identity provider, pysaml2 with signatures by libxmlsec1. Needs Python and a package registry, so
 * it is not part of the tests.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { accessToken, build, drive } from './sdk-server.ts'

const source = join(import.meta.dirname, 'saml-provider')

await drive((directory) => {
  const environment = join(directory, 'python')
  const python = join(environment, 'bin/python')
  build('The environment of Python', 'python3', ['-m', 'venv', environment], source)
  const install = ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:']
  build('The identity provider', python, [...install, '-r', 'requirements.txt'], source)
  return async (url) => {
    const env = { ...process.env, STEADING_HOST: url, STEADING_TOKEN: await accessToken(url) }
    return spawn(python, ['-W', 'ignore', join(source, 'drive.py')], { env, stdio: 'inherit' })
  }
})
