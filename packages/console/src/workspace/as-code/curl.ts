import { changeReasonValue } from '@steading/api/client'
import { wireRequest } from '@steading/api/wire-request'
import {
  API_VERSION,
  CHANGE_REASON_HEADER,
  IMPORT_CHUNK_MAX,
  SESSION_COOKIE,
} from '@steading/api/rules'
import { printValue, type Notation } from './print-value.ts'
import { call, type Call, type Code, type Remark, type Step } from './steps.ts'

/** Authentication of `curl` and our client. */
export const sessionNote = `Requests are authenticated by a session. Copy the value of the cookie “${SESSION_COOKIE}” from the developer tools of a signed-in browser into STEADING_SESSION.`

/** For `sh`, where single quotes escape everything except themselves. */
const shellQuote = (text: string): string => `'${escapeQuotes(text)}'`

const escapeQuotes = (text: string) => text.replaceAll("'", `'\\''`)

/** JSON between single quotes. */
const json: Notation = {
  key: (name) => JSON.stringify(name),
  text: (value) => escapeQuotes(JSON.stringify(value)),
  number: (value) => JSON.stringify(value),
  date: (time) => JSON.stringify(time),
  marked: ({ kind, name }) =>
    kind === 'id' ? `"'"$${name}_id"'"` : `"'"$(base64 < ${fileWord(name)} | tr -d '\\n')"'"`,
  trailingComma: '',
}

/** Protects file names with a leading dash from being parsed as options. */
const fileWord = (name: string) => shellQuote(name.startsWith('-') ? `./${name}` : name)

const session = `--cookie "${SESSION_COOKIE}=$STEADING_SESSION"`
const version = `--header 'api-version: ${API_VERSION}'`
const contentType = `--header 'content-type: application/json'`

const notes = [sessionNote]

/** The `curl` arguments specific to this call. */
function request(
  { operation, args, reason }: Call & Remark,
  origin: string,
): { start: string; body?: string } {
  const { verb, path, body } = wireRequest(operation, args)
  const words = [`--request ${verb} ${shellQuote(origin + path)}`]
  if (reason) {
    words.push(`--header ${shellQuote(`${CHANGE_REASON_HEADER}: ${changeReasonValue(reason)}`)}`)
  }
  return {
    start: words.join(' \\\n  '),
    ...(body === undefined ? {} : { body: `--data-raw '${printValue(body, json, '  ', true)}'` }),
  }
}

/** A script for `sh` that sends the same requests as the console. */
export function curl(steps: readonly Step[], origin: string): Code {
  const [only] = steps
  if (steps.length === 1 && only && isCall(only)) {
    const { start, body } = request(only, origin)
    const words = [`curl --fail-with-body ${start}`, session, version]
    return { text: [...words, ...(body ? [contentType, body] : [])].join(' \\\n  '), notes }
  }
  const lines = steps.map((step) => [...comment(step), ...scriptOf(step, origin)].join('\n'))
  // A subshell, so that a failure does not end the shell it is pasted into.
  return { text: `(\n${preamble}\n\n${lines.join('\n\n')}\n)`, notes }
}

const isCall = (step: Step): step is Call & Remark =>
  step.operation !== 'writeFile' && step.operation !== 'awaitFinalized'

const comment = ({ note }: Step) => (note ? [`# ${note}`] : [])

const preamble = `set -e
api() {
  curl --fail-with-body --silent --show-error \\
    ${session} \\
    ${version} \\
    ${contentType} \\
    "$@"
}`

function scriptOf(step: Step, origin: string): string[] {
  const at = ({ disk, project }: { disk: string; project: string }) => ({
    path: { disk },
    query: { project },
  })
  if (step.operation === 'writeFile') {
    const write = call('diskBulkWriteImport', {
      ...at(step),
      body: { offset: 0, base64EncodedData: '' },
    })
    return [
      `file=${fileWord(step.file)}`,
      'size=$(wc -c < "$file")',
      'offset=0',
      'while [ "$offset" -lt "$size" ]; do',
      '  {',
      `    printf '{"offset":%d,"base64_encoded_data":"' "$offset"`,
      `    dd if="$file" bs=${IMPORT_CHUNK_MAX} skip=$((offset / ${IMPORT_CHUNK_MAX})) count=1 2> /dev/null |`,
      `      base64 | tr -d '\\n'`,
      `    printf '"}'`,
      `  } | api ${request(write, origin).start} --data-binary @-`,
      `  offset=$((offset + ${IMPORT_CHUNK_MAX}))`,
      'done',
    ]
  }
  if (step.operation === 'awaitFinalized') {
    const { start } = request(call('diskView', at(step)), origin)
    return [`while api ${start} | grep -q '"state": *"finalizing"'; do`, '  sleep 1', 'done']
  }
  const { start, body } = request(step, origin)
  const command = `api ${start}${body ? ` \\\n  ${body}` : ''}`
  if (!step.idAs) return [command]
  return [
    `${step.idAs}=$(${command})`,
    `${step.idAs}_id=$(printf '%s' "$${step.idAs}" | sed -n 's/.*"id": *"\\([^"]*\\)".*/\\1/p')`,
  ]
}
