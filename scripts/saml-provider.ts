/**
 * `node scripts/run.mjs saml-provider`: an identity provider of another make, pysaml2 with the
 * signatures of libxmlsec1, signs users in to a server of its own. Needs Python and a package
 * registry, so it is no part of the tests.
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
