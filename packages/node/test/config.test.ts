import { describe, expect, test } from 'vitest'
import { defaultConfig, options, optionsOf, readConfig } from '../src/config.ts'
import { commandHelp, helpText } from '../src/help.ts'
import { runToEnd, startOfCommands, temporaryDirectory } from './support/process.ts'

describe('configuration', () => {
  test('has defaults', () => {
    expect(readConfig([], {})).toEqual(defaultConfig())
    expect(defaultConfig()).toMatchObject({ port: 12_220, host: '127.0.0.1', extensions: true })
  })

  test('the defaults in the help are the actual ones', () => {
    for (const option of options) {
      // Text other than a value is a description.
      if (option.default.includes(' ') || option.default === 'embedded') continue
      expect(readConfig([], { [option.env]: option.default })).toEqual(defaultConfig())
    }
  })

  test('flags take precedence over the environment, in any position', () => {
    const env = { STEADING_PORT: '1', STEADING_HOST: '::1', STEADING_EXTENSIONS: '1' }
    const config = readConfig(['--port', '2', '--no-extensions', '--data=/a=b'], env)
    expect(config).toMatchObject({ port: 2, host: '::1', extensions: false, data: '/a=b' })
  })

  test('an empty variable is unset', () => {
    expect(readConfig([], { STEADING_PORT: '', STEADING_DATABASE_URL: '' })).toEqual(
      defaultConfig(),
    )
  })

  test('zones are normalized', () => {
    const { zones } = readConfig(['--zone', 'Cloud.Example., cloud.example,b.test'], {})
    expect(zones).toEqual(['cloud.example', 'b.test'])
  })

  test.each([
    ['unix:/run/ovn/nb.sock', '/run/ovn/nb.sock'],
    ['/run/ovn/nb.sock', '/run/ovn/nb.sock'],
    ['ssl:10.0.0.1:6641', [{ host: '10.0.0.1', port: 6641 }]],
    [
      'ssl:[fd00::1]:6641,ssl:north.example:6642',
      [
        { host: 'fd00::1', port: 6641 },
        { host: 'north.example', port: 6642 },
      ],
    ],
  ])("OVN's northbound database may be %s", (text, database) => {
    expect(readConfig(['--ovn-northbound', text], {}).ovnNorthbound).toEqual(database)
  })

  test('restore takes a directory for each storage pool', () => {
    const args = ['--pool', 'fast=/mnt/fast', '--pool=large=/mnt/b/../large']
    const directories = new Map([
      ['fast', '/mnt/fast'],
      ['large', '/mnt/large'],
    ])
    expect(readConfig(args, {}, 'restore').pools).toEqual(directories)
    const env = { STEADING_POOL: 'fast=/mnt/fast,large=/mnt/large' }
    expect(readConfig([], env, 'restore').pools).toEqual(directories)
    // A flag wins over the variable, as for other options.
    expect(readConfig(['--pool', 'fast=/f'], env, 'restore').pools.size).toBe(1)
    expect(readConfig([], env).pools.size).toBe(0)
    expect(() => readConfig(args, {})).toThrow('unknown option --pool; see --help')
    expect(commandHelp('restore')).toContain('--pool <name=directory>')
    expect(helpText()).not.toContain('--pool')
  })

  test.each([
    [['fast'], '--pool must be a storage pool and its directory, like fast=/mnt/fast, not "fast"'],
    [['=/mnt/fast'], 'not "=/mnt/fast"'],
    [['fast=/mnt/a b'], '--pool cannot have /mnt/a b: It has to be an absolute path of letters'],
    [['fast=/mnt/a', 'fast=/mnt/b'], '--pool has storage pool fast twice'],
    [['fast=/mnt/a', 'large=/mnt/a/'], '--pool has /mnt/a twice'],
  ])('storage pools %s are refused: %s', (pools, message) => {
    const args = pools.flatMap((pool) => ['--pool', pool])
    expect(() => readConfig(args, {}, 'restore')).toThrow(message)
  })

  test('brackets around an IPv6 address are removed', () => {
    expect(readConfig(['--host', '[::1]'], {}).host).toBe('::1')
  })

  test.each([
    [['--port', 'x'], {}, '--port must be a whole number from 0 to 65535, not "x"'],
    [['--port=-1'], {}, '--port must be a whole number from 0 to 65535, not "-1"'],
    [['--port=65536'], {}, '--port must be a whole number from 0 to 65535, not "65536"'],
    [[], { STEADING_PORT: '1.5' }, 'STEADING_PORT must be a whole number'],
    [['--port'], {}, '--port needs a value: --port <number>'],
    [['--data='], {}, '--data needs a value: --data <directory>'],
    [['--host', 'http://a'], {}, '--host must be an IP address or a host name'],
    [['--zone', 'cloud_example'], {}, '--zone must be DNS zones like cloud.example, not "cloud_ex'],
    [['--zone', 'a.example,'], {}, '--zone must be DNS zones like cloud.example, not ""'],
    [['--tls-port', '443'], {}, '--tls-port needs --zone, the DNS zone of the host names to serve'],
    [['--tls-port', '12220', '--zone', 'a'], {}, '--tls-port and --port must differ, and both are'],
    [['--database-url', 'mysql://a/b'], {}, '--database-url must be a URL like postgres://'],
    [[], { STEADING_DATABASE_URL: 'secret' }, 'STEADING_DATABASE_URL must be a URL like'],
    [
      ['--ovn-northbound', 'tcp:10.0.0.1:6641'],
      {},
      '--ovn-northbound must be unix:/path or ssl:ho',
    ],
    [['--ovn-northbound', 'ssl:10.0.0.1'], {}, '--ovn-northbound must be an address with a port'],
    [['--ovn-northbound', 'ssl:a:1,/run/b'], {}, '--ovn-northbound must be unix:/path or ssl:host'],
    [['--metrics-listen', '9400'], {}, '--metrics-listen must be an address with a port, like'],
    [['--metrics-listen', 'a_b:9400'], {}, '--metrics-listen must be an IP address or a host name'],
    [['--metrics-listen', '[::1]:70000'], {}, '--metrics-listen must be a whole number from 0 to'],
    [['--smtp-url', 'http://a'], {}, '--smtp-url must be a URL like smtps://'],
    [['--smtp-url', 'smtp://a'], {}, '--smtp-url and --mail-from need each other'],
    [['--mail-from', 'a@b.com'], {}, '--smtp-url and --mail-from need each other'],
    [['--mail-from', 'nobody'], {}, '--mail-from must be an address like cloud@example.com'],
    [['--mail-from', 'A <a@b.com\nBcc: c@d>'], {}, '--mail-from must be an address like'],
    [['--console-url', 'https://a/b'], {}, '--console-url must be a URL like https://'],
    [['--metrics-url', 'tcp://a:8428'], {}, '--metrics-url must be a URL like http://'],
    [['--metrics-url', 'http://a/?b=c'], {}, '--metrics-url must be a URL like http://'],
    [['--metrics-raw', '0'], {}, '--metrics-raw must be a whole number from 1 to 36500'],
    [['--metrics-keep', 'ever'], {}, '--metrics-keep must be a whole number from 1 to 36500'],
    [['--forward-address', '::1'], {}, '--forward-address must be an IPv4 address, not "::1"'],
    [['--drain', '1.5'], {}, '--drain must be a whole number from 0 to 3600, not "1.5"'],
    [['--log', 'xml'], {}, '--log must be text or json, not "xml"'],
    [['--no-extensions=0'], {}, '--no-extensions takes no value'],
    [[], { STEADING_EXTENSIONS: 'yes' }, 'STEADING_EXTENSIONS must be 1 or 0, not "yes"'],
    [['--password-cost', 'm=1,t=1'], {}, '--password-cost must look like m=98304,t=3'],
    [['--session-idle', '0'], {}, '--session-idle must be a whole number from 1'],
    [['--nonsense'], {}, 'unknown option --nonsense; see --help'],
    [['start'], {}, 'unexpected argument "start"; see --help'],
    [[], { STEADING_PASSWORD_COST: '1' }, 'STEADING_PASSWORD_COST must look like'],
  ] as const)('%s %s: %s', (args, env, message) => {
    expect(() => readConfig(args, env)).toThrow(message)
  })

  test('passwords are measured in bytes', () => {
    const withPassword = (text: string) => () => readConfig([], { STEADING_ADMIN_PASSWORD: text })
    expect(withPassword('ä'.repeat(257))).toThrow('must be at most 512 bytes long')
    expect(withPassword('ä'.repeat(256))).not.toThrow()
  })

  test('a value that may contain a password is not repeated', () => {
    expect(() => readConfig(['--database-url', 'pg://u:secret@h'], {})).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    )
  })

  test('the help names every option', () => {
    for (const { flag, env } of optionsOf()) {
      expect(helpText()).toContain(env)
      if (flag) expect(helpText()).toContain(flag)
    }
  })
})

describe('a program that cannot start', () => {
  const cases: [string, (directory: string) => string[]][] = [
    ['an unknown option', () => ['--nonsense']],
    ['a bad port', () => ['--port', '99999']],
    ['an address of another machine', (data) => ['--data', data, '--host', '203.0.113.7']],
    ['a file in place of the data directory', () => ['--data', `${import.meta.filename}/data`]],
    [
      'a database that does not answer',
      (data) => ['--data', data, '--database-url', 'postgres://127.0.0.1:1/none'],
    ],
  ]
  test.each(cases)('with %s reports the reason in one line and exits with 2', async (_, args) => {
    const { code, stdout, stderr } = await runToEnd(args(temporaryDirectory()))
    expect(stderr).toMatch(/^steading: .+\n$/)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('--help only prints the options', async () => {
    const { code, stdout, stderr } = await runToEnd(['--help'])
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${helpText(startOfCommands())}\n`,
      stderr: '',
    })
  })
})
