import type { MethodName } from '@steading/api/client'
import { base64Of, call, type Step } from '../../src/workspace/as-code/steps.ts'
import { discardSteps, importSteps } from '../../src/storage/images/import-steps.ts'
import { jobSteps } from '../../src/workspace/jobs/open-job.ts'

const GiB = 1024 ** 3
const id = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`
const query = { project: 'mill' }
const path = { instance: 'grinding-stone' }
const size = 10 * GiB

/** All calls that users trigger in the console, with the arguments of its forms and menus. */
export const calls: Step[] = [
  call('projectCreate', { body: { name: 'mill', description: 'Grinds corn' } }),
  call('projectUpdate', { path: { project: 'mill' }, body: { name: 'water-mill' } }),
  call('projectDelete', { path: query }),
  call('viewCreate', {
    body: { name: 'Failed', list: 'instance', query: { state: 'failed' }, columns: null },
  }),
  call('viewUpdate', { path: { view: id(4) }, body: { name: 'Broken' } }),
  call('viewDelete', { path: { view: id(4) } }),
  call('dashboardCreate', {
    body: {
      name: 'Load',
      description: '',
      charts: [{ title: 'Reads', query: 'get virtual_disk:reads', display: 'line', width: 'half' }],
      source: 'project',
      sharing: 'private',
    },
  }),
  call('dashboardUpdate', {
    path: { dashboard: id(4) },
    body: { name: 'Load', description: '', charts: [], sharing: 'private' },
  }),
  call('dashboardDelete', { path: { dashboard: id(4) } }),
  call('notificationSubscriptionCreate', {
    body: {
      ownerProject: 'mill',
      scope: 'project',
      topics: ['schedule', 'quota'],
      severity: 'warning',
      digest: 'daily',
      channel: { type: 'email', address: 'miller@example.com' },
    },
  }),
  call('notificationSubscriptionUpdate', {
    path: { subscription: id(4) },
    body: { topics: ['quota'], severity: 'critical', digest: 'immediately' },
  }),
  call('notificationSubscriptionDelete', { path: { subscription: id(4) } }),
  call('notificationSettingsUpdate', { body: { topics: ['quota'] } }),
  call('timeseriesQuery', { query, body: { query: 'get virtual_disk:reads | last 1' } }),
  call('systemTimeseriesQuery', { body: { query: 'get sled_cpu:cpu_nsec\n| last 1' } }),
  call('currentUserSshKeyCreate', {
    body: { name: 'laptop', description: '', publicKey: 'ssh-ed25519 AAAA me@laptop\n' },
  }),
  call('currentUserSshKeyDelete', { path: { sshKey: 'laptop' } }),
  call('certificateCreate', {
    body: {
      name: 'autumn',
      description: '',
      service: 'external_api',
      cert: 'contents of mill.crt',
      key: 'contents of mill.key',
    },
  }),
  call('networkingAddressLotCreate', {
    body: {
      name: 'provider',
      description: '',
      kind: 'infra',
      blocks: [{ firstAddress: '192.0.2.1', lastAddress: '192.0.2.9' }],
    },
  }),
  call('supportBundleCreate', { body: { userComment: 'It is slow' } }),
  call('supportBundleUpdate', { path: { bundleId: id(5) }, body: { userComment: null } }),
  call('supportBundleDelete', { path: { bundleId: id(5) } }),
  call('webhookReceiverCreate', {
    body: {
      name: 'pager',
      description: 'Wakes people',
      endpoint: 'https://pager.example/hook',
      secrets: ['<secret>'],
      subscriptions: ['hardware.**'],
    },
  }),
  call('webhookReceiverUpdate', {
    path: { receiver: 'pager' },
    body: { name: 'bell', description: '', endpoint: 'https://bell.example/' },
  }),
  call('alertReceiverDelete', { path: { receiver: 'pager' } }),
  call('alertReceiverProbe', { path: { receiver: 'pager' }, query: { resend: true } }),
  call('alertReceiverSubscriptionAdd', {
    path: { receiver: 'pager' },
    body: { subscription: 'hardware.**' },
  }),
  call('alertReceiverSubscriptionRemove', {
    path: { receiver: 'pager', subscription: 'hardware.**' },
  }),
  call('webhookSecretsAdd', { query: { receiver: 'pager' }, body: { secret: '<secret>' } }),
  call('webhookSecretsDelete', { path: { secretId: id(5) } }),
  call('alertDeliveryResend', { path: { alertId: id(5) }, query: { receiver: 'pager' } }),
  call('networkingAddressLotDelete', { path: { addressLot: 'provider' } }),
  call('networkingLoopbackAddressCreate', {
    body: {
      rackId: id(1),
      switchSlot: 'switch0',
      addressLot: 'provider',
      address: '192.0.2.1',
      mask: 32,
      anycast: false,
    },
  }),
  call('networkingLoopbackAddressDelete', {
    path: { rackId: id(1), switchSlot: 'switch0', address: '192.0.2.1', subnetMask: 32 },
  }),
  call('networkingBgpConfigCreate', {
    body: { name: 'edge', description: '', asn: 65_001, bgpAnnounceSetId: 'public', maxPaths: 1 },
  }),
  call('networkingBgpConfigUpdate', { query: { nameOrId: 'edge' }, body: { maxPaths: 2 } }),
  call('networkingBgpConfigDelete', { query: { nameOrId: 'edge' } }),
  call('networkingBgpAnnounceSetUpdate', {
    body: {
      name: 'public',
      description: '',
      announcement: [{ addressLotBlock: 'provider', network: '192.0.2.0/29' }],
    },
  }),
  call('networkingBgpAnnounceSetDelete', { path: { announceSet: 'public' } }),
  call('targetReleaseUpdate', { body: { systemVersion: '1.1.0' } }),
  call('systemUpdateRecoveryFinish', { body: { systemVersion: '1.1.0' } }),
  call('updateUploadDelete', { path: { uploadId: id(5) } }),
  call('systemUpdateTrustRootCreate', { body: { signed: { _type: 'root' }, signatures: [] } }),
  call('systemUpdateTrustRootDelete', { path: { trustRootId: id(5) } }),
  call('networkingBfdEnable', {
    body: {
      remote: '192.0.2.1',
      detectionThreshold: 3,
      requiredRx: 300_000,
      switchSlot: 'switch0',
      mode: 'single_hop',
    },
  }),
  call('networkingBfdDisable', { body: { remote: '192.0.2.1', switchSlot: 'switch0' } }),
  call('networkingSwitchPortSettingsCreate', {
    body: {
      name: 'uplink',
      description: '',
      portConfig: { geometry: 'qsfp28x1' },
      groups: [],
      links: [
        {
          linkName: 'phy0',
          mtu: 1500,
          speed: 'speed100_g',
          autoneg: false,
          fec: 'rs',
          lldp: { enabled: true },
        },
      ],
      interfaces: [{ linkName: 'vlan7', kind: { type: 'vlan', vid: 7 }, v6Enabled: true }],
      addresses: [
        { linkName: 'phy0', addresses: [{ address: '192.0.2.2/30', addressLot: 'provider' }] },
      ],
      routes: [{ linkName: 'phy0', routes: [{ dst: '0.0.0.0/0', gw: '192.0.2.1' }] }],
      bgpPeers: [
        {
          linkName: 'phy0',
          peers: [
            {
              bgpConfig: 'edge',
              addr: { type: 'numbered', targetAddr: '192.0.2.1', srcAddr: null },
              allowedExport: { type: 'no_filtering' },
              allowedImport: { type: 'allow', value: ['0.0.0.0/0'] },
              communities: [7],
              connectRetry: 3,
              delayOpen: 3,
              enforceFirstAs: false,
              holdTime: 6,
              idleHoldTime: 3,
              keepalive: 2,
            },
          ],
        },
      ],
    },
  }),
  call('networkingSwitchPortSettingsDelete', { query: { portSettings: 'uplink' } }),
  call('networkingSwitchPortApplySettings', {
    path: { port: 'qsfp0' },
    query: { rackId: id(1), switchSlot: 'switch0' },
    body: { portSettings: 'uplink' },
  }),
  call('networkingSwitchPortClearSettings', {
    path: { port: 'qsfp0' },
    query: { rackId: id(1), switchSlot: 'switch0' },
  }),
  call('networkingSwitchPortLldpConfigUpdate', {
    path: { port: 'qsfp0' },
    query: { rackId: id(1), switchSlot: 'switch0' },
    body: { id: id(7), enabled: false },
  }),
  call('networkingAllowListUpdate', {
    body: { allowedIps: { allow: 'list', ips: ['192.0.2.0/24'] } },
  }),
  call('networkingInboundIcmpUpdate', { body: { enabled: false } }),
  call('systemNetworkingSettingsUpdate', { body: { externalJumboFramesOptInEnabled: true } }),
  call('sledSetProvisionPolicy', { path: { sledId: id(5) }, body: { state: 'non_provisionable' } }),
  call('sledExpunge', { path: { sledId: id(5) } }),
  call('hostCreate', { body: { address: 'qemu+ssh://root@rack-7/system' } }),
  call('hostUpdate', {
    path: { hostId: id(5) },
    body: { address: 'qemu+tls://rack-7/system' },
  }),
  call('hostDelete', { path: { hostId: id(5) } }),
  call('storagePoolCreate', {
    body: { name: 'fast', description: '', type: 'directory', path: '/mnt/fast' },
  }),
  call('storagePoolCreate', {
    body: {
      name: 'nas',
      description: '',
      type: 'nfs',
      source: 'nas.example:/export/fast',
      path: '/mnt/nas',
    },
  }),
  call('storagePoolUpdate', { path: { pool: 'fast' }, body: { description: 'NVMe' } }),
  call('storagePoolDelete', { path: { pool: 'fast' } }),
  call('siloStoragePoolUpdate', { path: { silo: 'mill' }, body: { pool: 'fast' } }),
  call('hostFence', { path: { hostId: id(5) } }),
  call('hostFencingUpdate', {
    path: { hostId: id(5) },
    body: {
      method: 'redfish',
      address: 'bmc-7.example',
      port: null,
      user: 'operator',
      system: null,
      automatic: true,
      verifyCertificate: true,
      password: '<password>',
    },
  }),
  call('hostFencingRemove', { path: { hostId: id(5) } }),
  call('sledMaintenanceBegin', {
    path: { sledId: id(5) },
    body: { reason: 'New fans', timeEnd: new Date(1_795_000_000_000), unmovable: 'leave' },
  }),
  call('sledMaintenanceUpdate', {
    path: { sledId: id(5) },
    body: { reason: 'New fans', timeEnd: null, unmovable: 'stop' },
  }),
  call('sledMaintenancePause', { path: { sledId: id(5) } }),
  call('sledMaintenanceResume', { path: { sledId: id(5) } }),
  call('sledMaintenanceEnd', { path: { sledId: id(5) } }),
  call('instanceMove', {
    path: { sledId: id(5), instanceId: id(6) },
    body: { sledId: id(7) },
  }),
  call('instanceMoveCancel', { path: { sledId: id(5), instanceId: id(6) } }),
  call('physicalDiskExpunge', { path: { diskId: id(5) } }),
  call('physicalDiskEnableAdoption', {
    body: { vendor: '1b96', model: 'WUS5EA138ESP7E1', serial: 'BRM-0001-U2-3' },
  }),
  call('physicalDiskDisableAdoption', { path: { physicalDiskAdoptionReqId: id(6) } }),
  call('rackMembershipAddSleds', {
    path: { rackId: id(5) },
    body: { sledIds: [{ partNumber: '913-0000019', serialNumber: 'BRM-0005' }] },
  }),
  call('rackMembershipAbort', { path: { rackId: id(5) } }),
  call('simulatedDiskSetHealth', { path: { serial: 'BRM-0001-U2-0' }, body: { healthy: false } }),
  call('simulatedDiskReplace', { path: { serial: 'BRM-0001-U2-0' } }),
  call('simulatedPowerSupplyUpdate', { path: { slot: 1 }, body: { present: false } }),
  call('simulatedUplinkUpdate', {
    path: { switchSlot: 'switch0', end: '192.0.2.1' },
    body: { up: false },
  }),
  call('simulatedSledSetPower', { path: { serial: 'BRM-0001' }, body: { on: false } }),
  call('simulatedSledRecover', { path: { serial: 'BRM-0001' } }),
  call('simulatedSledInsert', {}),
  call('simulatedInstanceSetLoad', {
    path: { instance: 'db' },
    query: { project: 'mill' },
    body: { cpu: 80, disk: 0, network: 20, duration: 900 },
  }),
  call('systemPolicyUpdate', { body: { roleAssignments: [] } }),
  call('policyUpdate', {
    body: {
      roleAssignments: [
        { identityId: id(7), identityType: 'silo_group', roleName: 'collaborator' },
      ],
    },
  }),
  call('siloPolicyUpdate', { path: { silo: 'guild' }, body: { roleAssignments: [] } }),
  call('projectPolicyUpdate', { path: { project: 'mill' }, body: { roleAssignments: [] } }),
  call('certificateDelete', { path: { certificate: 'autumn' } }),
  call('currentUserAccessTokenCreate', {
    body: { name: 'ci', access: 'collaborator', projects: ['mill'], ttlSeconds: 7_776_000 },
  }),
  call('currentUserAccessTokenDelete', { path: { tokenId: id(5) } }),
  call('localIdpUserCreate', {
    query: { silo: 'main' },
    body: { externalId: 'ann', password: { mode: 'password', value: '<password>' } },
  }),
  call('localIdpUserSetPassword', {
    path: { userId: id(6) },
    query: { silo: 'main' },
    body: { mode: 'login_disallowed' },
  }),
  call('userLinkCreate', {
    path: { userId: id(6) },
    query: { silo: 'main' },
    body: { delivery: 'mail', mailAddress: 'ann@example.com' },
  }),
  call('userMailAddressUpdate', {
    path: { userId: id(6) },
    query: { silo: 'main' },
    body: { mailAddress: 'ann@example.com' },
  }),
  call('currentUserMailAddressUpdate', {
    body: { mailAddress: 'ann@example.com', currentPassword: '<current password>' },
  }),
  call('localIdpUserDelete', { path: { userId: id(6) }, query: { silo: 'main' } }),
  call('userLogout', { path: { userId: id(6) } }),
  call('groupCreate', { body: { displayName: 'Operations team' } }),
  call('groupDelete', { path: { groupId: id(6) } }),
  call('groupMembersUpdate', { path: { groupId: id(6) }, body: { add: [id(7)], remove: [] } }),
  call('currentUserPasswordUpdate', {
    body: {
      currentPassword: '<current password>',
      newPassword: '<new password>',
      endOtherSessions: true,
    },
  }),
  call('currentUserSessionDelete', { path: { sessionId: id(6) } }),
  call('currentUserSessionDeleteOthers', {}),
  call('serviceAccountCreate', {
    query: { project: 'mill' },
    body: { name: 'ci', description: 'Builds the images' },
  }),
  call('serviceAccountUpdate', {
    path: { serviceAccount: id(5) },
    body: { name: 'ci', description: 'Builds and tests' },
  }),
  call('serviceAccountDelete', { path: { serviceAccount: id(5) } }),
  call('serviceAccountTokenCreate', {
    path: { serviceAccount: id(5) },
    body: { name: 'runner', access: 'full', ttlSeconds: 7_776_000 },
  }),
  call('serviceAccountTokenDelete', { path: { serviceAccount: id(5), tokenId: id(6) } }),
  call('scimTokenCreate', { query: { silo: 'mill-hands' } }),
  call('scimTokenDelete', { path: { tokenId: id(7) }, query: { silo: 'mill-hands' } }),
  call('siloCreate', {
    body: {
      name: 'mill-hands',
      description: 'Who works at the mill',
      identityMode: 'saml_jit',
      discoverable: true,
      adminGroupName: 'millers',
      mappedFleetRoles: { admin: ['admin'] },
      quotas: { cpus: 16, memory: 64 * GiB, storage: 1024 * GiB },
      tlsCertificates: [],
    },
  }),
  call('samlIdentityProviderCreate', {
    query: { silo: 'mill-hands' },
    body: {
      name: 'guild',
      description: '',
      technicalContactEmail: 'miller@mill.example',
      spClientId: 'https://mill.example',
      acsUrl: 'https://mill.example/login/mill-hands/saml/guild',
      sloUrl: 'https://mill.example/logout',
      idpEntityId: 'https://guild.example',
      groupAttributeName: 'groups',
      idpMetadataSource: { type: 'base64_encoded_xml', data: 'PG1kOkVudGl0eURlc2NyaXB0b3IvPg==' },
      signingKeypair: { publicCert: 'MIIDDzCC', privateKey: 'MIIEpAIB' },
    },
  }),
  call('samlSignInSettingsUpdate', {
    path: { provider: 'guild' },
    query: { silo: 'mill-hands' },
    body: { idpInitiated: true },
  }),
  call('signInPolicyUpdate', { path: { silo: 'mill-hands' }, body: { secondFactor: 'required' } }),
  call('userFactorsDelete', { path: { userId: id(8) } }),
  call('userIdentityLink', {
    path: { userId: id(8) },
    query: { silo: 'mill-hands' },
    body: { provider: id(9), name: 'miller' },
  }),
  call('userIdentityUnlink', { path: { userId: id(8), providerId: id(9) } }),
  call('identityProviderAdoptUsers', { path: { providerId: id(9) } }),
  call('factorSetupBegin', { body: { type: 'totp' } }),
  call('factorSetup', {
    body: {
      currentPassword: '<current password>',
      factor: { type: 'totp', secret: '<secret>', code: '<code>' },
    },
  }),
  call('factorRemove', {
    body: { currentPassword: '<current password>', factor: { type: 'passkey', id: id(9) } },
  }),
  call('recoveryCodesCreate', { body: { currentPassword: '<current password>' } }),
  call('passkeyUpdate', { path: { passkeyId: id(9) }, body: { name: 'laptop' } }),
  call('oidcIdentityProviderCreate', {
    query: { silo: 'mill-hands' },
    body: {
      name: 'guild-hall',
      description: '',
      issuer: 'https://guild.example',
      clientId: 'mill',
      clientSecret: '<client secret>',
      scopes: ['openid', 'profile'],
      userClaim: 'sub',
      displayNameClaim: 'name',
      groupsClaim: 'groups',
      redirectUri: 'https://mill.example/login/mill-hands/oidc/guild-hall/callback',
      signOutAtProvider: true,
    },
  }),
  call('oidcIdentityProviderUpdate', {
    path: { provider: 'guild-hall' },
    query: { silo: 'mill-hands' },
    body: {
      description: 'Of the guild',
      clientId: 'mill',
      scopes: ['openid'],
      userClaim: 'sub',
      displayNameClaim: null,
      groupsClaim: null,
      redirectUri: 'https://mill.example/login/mill-hands/oidc/guild-hall/callback',
    },
  }),
  call('samlIdentityProviderDelete', {
    path: { provider: 'guild-hall' },
    query: { silo: 'mill-hands' },
  }),
  call('oidcIdentityProviderDelete', {
    path: { provider: 'guild-hall' },
    query: { silo: 'mill-hands' },
  }),
  call('siloQuotasUpdate', {
    path: { silo: 'mill-hands' },
    body: { cpus: 32, memory: 64 * GiB, storage: 1024 * GiB },
  }),
  call('authSettingsUpdate', { body: { deviceTokenMaxTtlSeconds: 2_592_000 } }),
  call('siloDelete', { path: { silo: 'mill-hands' } }),
  call('reachabilityTest', {
    query: { project: "it's" },
    body: {
      from: { type: 'internet' },
      to: { type: 'instance', instance: 'wheel' },
      protocol: 'tcp',
      port: 443,
    },
  }),
  call('reachabilityPacketSend', {
    query: { project: "it's" },
    body: {
      from: { type: 'instance', instance: 'wheel' },
      to: { type: 'address', address: '198.51.100.7' },
      protocol: 'icmp',
    },
  }),
  call('systemIpPoolCreate', {
    body: { name: 'edge', description: 'Edge', ipVersion: 'v6', poolType: 'unicast' },
  }),
  call('systemIpPoolUpdate', {
    path: { pool: 'edge' },
    body: { name: 'rim', description: 'Rim' },
  }),
  call('systemIpPoolDelete', { path: { pool: 'edge' } }),
  call('systemIpPoolRangeAdd', {
    path: { pool: 'edge' },
    body: { first: 'fd00::1', last: 'fd00::ff' },
  }),
  call('systemIpPoolRangeRemove', {
    path: { pool: 'edge' },
    body: { first: 'fd00::1', last: 'fd00::ff' },
  }),
  call('systemIpPoolSiloLink', {
    path: { pool: 'edge' },
    body: { silo: 'mill-hands', isDefault: false },
  }),
  call('systemIpPoolSiloUpdate', {
    path: { pool: 'edge', silo: 'mill-hands' },
    body: { isDefault: true },
  }),
  call('systemSubnetPoolCreate', {
    body: { name: 'yards', description: 'Yards', ipVersion: 'v6' },
  }),
  call('systemSubnetPoolUpdate', {
    path: { pool: 'yards' },
    body: { name: 'fields', description: 'Fields' },
  }),
  call('systemSubnetPoolDelete', { path: { pool: 'yards' } }),
  call('systemSubnetPoolMemberAdd', {
    path: { pool: 'yards' },
    body: { subnet: 'fd00::/48', minPrefixLength: 56, maxPrefixLength: 64 },
  }),
  call('systemSubnetPoolMemberRemove', { path: { pool: 'yards' }, body: { subnet: 'fd00::/48' } }),
  call('systemSubnetPoolSiloLink', {
    path: { pool: 'yards' },
    body: { silo: 'mill-hands', isDefault: false },
  }),
  call('systemSubnetPoolSiloUpdate', {
    path: { pool: 'yards', silo: 'mill-hands' },
    body: { isDefault: true },
  }),
  call('systemSubnetPoolSiloUnlink', { path: { pool: 'yards', silo: 'mill-hands' } }),
  call('systemIpPoolSiloUnlink', { path: { pool: 'edge', silo: 'mill-hands' } }),
  call('diskCreate', {
    query,
    body: {
      name: 'flour',
      description: '',
      size,
      diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 4096 } },
    },
  }),
  call('diskDelete', { path: { disk: 'flour' }, query }),
  call('storagePoolDiskCreate', {
    path: { project: 'web', pool: 'fast' },
    body: {
      name: 'flour',
      description: '',
      size,
      diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 4096 } },
    },
  }),
  call('diskMove', { path: { disk: 'flour' }, query, body: { pool: 'fast' } }),
  call('diskGrow', { path: { disk: 'flour' }, query, body: { size: 20 * 1024 ** 3 } }),
  call('diskRollBack', { path: { disk: 'flour' }, query, body: { snapshot: 'before' } }),
  call('snapshotCreate', { query, body: { name: 'before', description: '', disk: 'flour' } }),
  call('snapshotDelete', { path: { snapshot: 'before' }, query }),
  call('imageDownloadCreate', {
    query,
    body: {
      name: 'debian',
      description: 'Stable',
      os: 'Debian',
      version: '13',
      url: 'https://images.example/debian.qcow2',
      checksum: { type: 'list', url: 'https://images.example/SHA512SUMS' },
    },
  }),
  call('imageDownloadCancel', { path: { imageDownload: id(5) } }),
  call('imageCatalogUpdate', { body: { images: null } }),
  call('priceListUpdate', {
    body: {
      currency: 'EUR',
      shownToSilos: true,
      versions: [{ validFrom: '2026-01-01', prices: { vcpu: '0.0125', ephemeralIp: '0.003' } }],
    },
  }),
  call('imageCreate', {
    query,
    body: {
      name: 'debian',
      description: 'Stable',
      os: 'debian',
      version: '12',
      source: { type: 'snapshot', id: id(1) },
    },
  }),
  call('imageDelete', { path: { image: id(2) } }),
  call('imagePromote', { path: { image: id(2) } }),
  call('imageDemote', { path: { image: id(2) }, query }),
  call('floatingIpCreate', {
    query,
    body: {
      name: 'gate',
      description: '',
      addressAllocator: { type: 'auto', poolSelector: { type: 'explicit', pool: 'default' } },
    },
  }),
  call('floatingIpUpdate', {
    path: { floatingIp: 'gate' },
    query,
    body: { name: 'door', description: '' },
  }),
  call('floatingIpDelete', { path: { floatingIp: 'gate' }, query }),
  call('floatingIpAttach', {
    path: { floatingIp: id(3) },
    body: { kind: 'instance', parent: id(4) },
  }),
  call('floatingIpDetach', { path: { floatingIp: id(3) } }),
  call('externalSubnetCreate', {
    query,
    body: {
      name: 'yard',
      description: '',
      allocator: {
        type: 'auto',
        prefixLength: 28,
        poolSelector: { type: 'explicit', pool: 'networks' },
      },
    },
  }),
  call('externalSubnetUpdate', {
    path: { externalSubnet: 'yard' },
    query,
    body: { name: 'garden', description: '' },
  }),
  call('externalSubnetDelete', { path: { externalSubnet: 'yard' }, query }),
  call('externalSubnetAttach', { path: { externalSubnet: id(3) }, body: { instance: id(4) } }),
  call('externalSubnetDetach', { path: { externalSubnet: id(3) } }),
  call('probeCreate', {
    query,
    body: {
      name: 'echo',
      description: '',
      sled: id(5),
      poolSelector: { type: 'explicit', pool: 'addresses' },
    },
  }),
  call('probeDelete', { path: { probe: 'echo' }, query }),
  call('instanceClone', {
    path: { instance: 'web' },
    query,
    body: {
      name: 'web-copy',
      description: '',
      disks: [{ disk: 'data', name: 'data-copy', snapshot: 'yesterday' }],
      start: false,
    },
  }),
  call('instanceTemplateCreate', {
    query,
    body: {
      name: 'front-end',
      description: '',
      instance: { ncpus: { $variable: 'cpus' }, memory: 2 ** 30, user_data: { $text: '${name}' } },
      variables: [
        {
          name: 'cpus',
          label: 'vCPUs',
          description: '',
          type: 'number',
          required: true,
          default: 2,
          choices: [],
          min: 1,
          max: 8,
        },
      ],
    },
  }),
  call('instanceTemplateUpdate', {
    path: { instanceTemplate: 'front-end' },
    query,
    body: { description: 'changed' },
  }),
  call('instanceTemplateUse', {
    path: { instanceTemplate: 'front-end' },
    query,
    body: { name: 'web', project: null, count: 2, firstNumber: null, values: { cpus: 4 } },
  }),
  call('instanceTemplateDelete', { path: { instanceTemplate: 'front-end' }, query }),
  call('scheduleCreate', {
    query,
    body: {
      name: 'nightly',
      description: '',
      action: 'snapshot',
      recurrence: { type: 'cron', expression: '0 2 * * *', timeZone: 'Europe/Berlin' },
      retention: { last: 0, daily: 7, weekly: 4, monthly: 0, yearly: 0 },
      targets: [
        { kind: 'instance', instance: 'web' },
        { kind: 'disk', disk: 'data' },
      ],
    },
  }),
  call('deletedResourceRestore', { path: { deletedResource: id(5) }, body: { name: 'grain' } }),
  call('deletedResourceDelete', { path: { deletedResource: id(5) } }),
  call('deletionPolicyUpdate', { body: { restorableHours: 24 } }),
  call('imagePolicyUpdate', { body: { membersUseSiloImages: true } }),
  call('settingVersionRestore', {
    path: { setting: 'firewall_rules', thing: id(6), version: '2' },
    body: { latest: 3, reason: 'The shop was unreachable' },
  }),
  call('scheduleUpdate', { path: { schedule: 'nightly' }, query, body: { enabled: false } }),
  call('scheduleRun', { path: { schedule: 'nightly' }, query }),
  call('scheduleDelete', { path: { schedule: 'nightly' }, query }),
  call('alertRuleCreate', {
    query,
    body: {
      name: 'busy',
      description: 'Too much to do',
      query: 'get virtual_machine:vcpu_usage | filter state == "run"',
      comparison: 'above',
      threshold: 4e9,
      duration: 300,
      severity: 'warning',
    },
  }),
  call('alertRuleUpdate', { path: { alertRule: 'busy' }, query, body: { enabled: false } }),
  call('alertRuleDelete', { path: { alertRule: 'busy' }, query }),
  call('systemAlertRuleCreate', {
    body: {
      name: 'hot',
      description: '',
      query: 'get hardware_component:temperature',
      comparison: 'above',
      threshold: 80,
      duration: 60,
      severity: 'critical',
    },
  }),
  call('systemAlertRuleUpdate', { path: { alertRule: 'hot' }, body: { threshold: 85 } }),
  call('systemAlertRuleDelete', { path: { alertRule: 'hot' } }),
  call('instanceMulticastGroupJoin', {
    path: { instance: id(4), multicastGroup: 'news' },
    body: { sourceIps: ['10.1.2.3'] },
  }),
  call('instanceMulticastGroupLeave', { path: { instance: id(4), multicastGroup: 'news' } }),
  call('vpcCreate', {
    query,
    body: { name: 'yard', description: '', dnsName: 'yard', ipv6Prefix: 'fd12:3456:789a::/48' },
  }),
  call('vpcUpdate', {
    path: { vpc: 'yard' },
    query,
    body: { name: 'back-yard', description: '', dnsName: 'yard' },
  }),
  call('vpcSubnetCreate', {
    query: { ...query, vpc: 'yard' },
    body: {
      name: 'public',
      description: 'Faces the street',
      ipv4Block: '10.0.0.0/24',
      ipv6Block: 'fd12:3456:789a:1::/64',
      customRouter: id(9),
    },
  }),
  call('vpcSubnetUpdate', {
    path: { subnet: 'public' },
    query: { ...query, vpc: 'yard' },
    body: { name: 'street', description: '', customRouter: id(9) },
  }),
  call('vpcSubnetDelete', { path: { subnet: id(8) } }),
  call('vpcRouterCreate', {
    query: { ...query, vpc: 'yard' },
    body: { name: 'detour', description: 'By the back door' },
  }),
  call('vpcRouterUpdate', {
    path: { router: 'detour' },
    query: { ...query, vpc: 'yard' },
    body: { name: 'bypass', description: '' },
  }),
  call('vpcRouterDelete', { path: { router: 'detour' }, query: { ...query, vpc: 'yard' } }),
  call('vpcRouterRouteCreate', {
    query: { ...query, vpc: 'yard', router: 'detour' },
    body: {
      name: 'out',
      description: '',
      destination: { type: 'ip_net', value: '0.0.0.0/0' },
      target: { type: 'internet_gateway', value: 'gate' },
    },
  }),
  call('vpcRouterRouteUpdate', {
    path: { route: 'out' },
    query: { ...query, vpc: 'yard', router: 'detour' },
    body: { destination: { type: 'ip', value: '10.0.0.1' }, target: { type: 'drop' } },
  }),
  call('vpcRouterRouteDelete', { path: { route: id(9) } }),
  call('internetGatewayCreate', {
    query: { ...query, vpc: 'yard' },
    body: { name: 'gate', description: '' },
  }),
  call('internetGatewayDelete', {
    path: { gateway: 'gate' },
    query: { ...query, vpc: 'yard', cascade: true },
  }),
  call('internetGatewayIpPoolCreate', {
    query: { ...query, vpc: 'yard', gateway: 'gate' },
    body: { name: 'public', description: '', ipPool: 'default' },
  }),
  call('internetGatewayIpPoolDelete', { path: { pool: id(9) }, query: { cascade: true } }),
  call('internetGatewayIpAddressCreate', {
    query: { ...query, vpc: 'yard', gateway: 'gate' },
    body: { name: 'front', description: '', address: '203.0.113.7' },
  }),
  call('internetGatewayIpAddressDelete', { path: { address: id(9) }, query: { cascade: true } }),
  call('vpcDelete', { path: { vpc: 'yard' }, query }),
  call('vpcFirewallRulesUpdate', {
    query: { ...query, vpc: 'yard' },
    body: {
      rules: [
        {
          name: 'allow-ping',
          description: "It's for everybody",
          status: 'enabled',
          direction: 'inbound',
          action: 'allow',
          priority: 100,
          targets: [{ type: 'vpc', value: 'yard' }],
          filters: {
            hosts: [{ type: 'ip_net', value: '10.0.0.0/8' }],
            ports: [],
            protocols: [
              { type: 'icmp', value: { icmpType: 3, code: '1-3' } },
              { type: 'icmp', value: null },
              { type: 'tcp' },
            ],
          },
        },
      ],
    },
  }),
  call('antiAffinityGroupCreate', {
    query,
    body: { name: 'apart', description: '', policy: 'fail', failureDomain: 'sled' },
  }),
  call('antiAffinityGroupUpdate', {
    path: { antiAffinityGroup: 'apart' },
    query,
    body: { name: 'far-apart', description: '' },
  }),
  call('antiAffinityGroupDelete', { path: { antiAffinityGroup: 'apart' }, query }),
  call('antiAffinityGroupMemberInstanceAdd', {
    path: { antiAffinityGroup: 'apart', ...path },
    query,
  }),
  call('antiAffinityGroupMemberInstanceDelete', {
    path: { antiAffinityGroup: 'apart', ...path },
    query,
  }),
  call('affinityGroupCreate', {
    query,
    body: { name: 'together', description: '', policy: 'allow', failureDomain: 'sled' },
  }),
  call('affinityGroupUpdate', {
    path: { affinityGroup: 'together' },
    query,
    body: { name: 'close-together', description: '' },
  }),
  call('affinityGroupDelete', { path: { affinityGroup: 'together' }, query }),
  call('affinityGroupMemberInstanceAdd', {
    path: { affinityGroup: 'together', ...path },
    query,
  }),
  call('affinityGroupMemberInstanceDelete', {
    path: { affinityGroup: 'together', ...path },
    query,
  }),
  call('instanceCreate', {
    query,
    body: {
      name: 'grinding-stone',
      description: '',
      hostname: 'stone.example',
      ncpus: 2,
      memory: 8 * GiB,
      bootDisk: {
        type: 'create',
        name: 'boot',
        description: 'Created as a boot disk for grinding-stone',
        size,
        diskBackend: {
          type: 'distributed',
          diskSource: { type: 'image', imageId: id(5), readOnly: true },
        },
      },
      disks: [
        { type: 'create', name: 'scratch', description: '', size, diskBackend: { type: 'local' } },
        { type: 'attach', name: 'flour' },
      ],
      sshPublicKeys: [id(6)],
      networkInterfaces: { type: 'default_dual_stack' },
      externalIps: [
        { type: 'ephemeral', poolSelector: { type: 'explicit', pool: 'default' } },
        { type: 'floating', floatingIp: 'gate' },
      ],
      autoRestartPolicy: 'never',
      antiAffinityGroups: ['apart'],
      start: false,
      userData: base64Of("it's me.yaml"),
    },
  }),
  call('storagePoolInstanceCreate', {
    path: { project: 'web' },
    body: {
      name: 'grinding-stone',
      description: '',
      hostname: 'stone.example',
      ncpus: 2,
      memory: 8 * GiB,
      bootDisk: {
        type: 'create',
        name: 'stone-boot',
        description: '',
        size: GiB,
        diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } },
      },
      diskPools: [{ disk: 'stone-boot', pool: 'fast' }],
    },
  }),
  call('instanceUpdate', {
    path,
    query,
    body: {
      ncpus: 4,
      memory: 16 * GiB,
      bootDisk: id(7),
      autoRestartPolicy: null,
      cpuPlatform: null,
      enableJumboFrames: false,
    },
  }),
  call('instanceDelete', { path, query }),
  call('instanceStart', { path, query }),
  call('instanceStop', { path, query }),
  call('instanceReboot', { path, query }),
  call('instanceRollBack', { path, query, body: { snapshots: ['before'] } }),
  call('instanceDiskAttach', { path, query, body: { disk: 'flour' } }),
  call('instanceDiskDetach', { path, query, body: { disk: 'flour' } }),
  call('instanceEphemeralIpAttach', {
    path,
    query,
    body: { poolSelector: { type: 'explicit', pool: 'default' } },
  }),
  call('instanceEphemeralIpDetach', { path, query: { ...query, ipVersion: 'v4' } }),
  call('instanceNetworkInterfaceCreate', {
    query: { ...query, ...path },
    body: {
      name: 'side',
      description: '',
      vpcName: 'default',
      subnetName: 'default',
      ipConfig: {
        type: 'v4',
        value: { ip: { type: 'explicit', value: '172.30.0.9' }, transitIps: [] },
      },
    },
  }),
  call('instanceNetworkInterfaceUpdate', {
    path: { interface: id(8) },
    body: { name: 'side', description: 'Aside', transitIps: ['10.0.0.0/8'] },
  }),
  call('instanceNetworkInterfaceDelete', { path: { interface: id(8) } }),
]

const example = <M extends MethodName>(operation: M): Step =>
  calls.find((step) => step.operation === operation)!

const upload = {
  project: 'mill',
  names: { name: 'tmp-for-image-1', snapshotName: 'tmp-snapshot-1' },
  values: { name: 'debian', description: 'Stable', os: 'debian', version: '12' },
  blockSize: 512,
} as const

/** Actions with several calls. */
export const sequences: Step[][] = [
  [example('diskCreate'), example('instanceDiskAttach')],
  importSteps({ ...upload, file: new File(['x'.repeat(512)], "a 'raw' $image.raw") }),
  importSteps({ ...upload, file: null }),
  discardSteps('mill', 'tmp-for-image-1', true),
  jobSteps({
    action: 'delete',
    kind: 'instance',
    project: 'mill',
    target: { type: 'ids', ids: [id(1), id(2)] },
    chain: true,
    with: ['disk'],
  }),
  jobSteps({
    action: 'start',
    kind: 'instance',
    project: 'mill',
    target: { type: 'matching', query: { search: "it's", state: 'failed' } },
  }),
]

export const everything: Step[][] = [...calls.map((step) => [step]), ...sequences]

/** Forms without any input. */
export const empty: Step[] = [
  call('projectCreate', { body: { name: '', description: '' } }),
  call('snapshotCreate', { query, body: { name: '', description: '', disk: '' } }),
  call('floatingIpAttach', { path: { floatingIp: '' }, body: { kind: 'instance', parent: '' } }),
  call('imagePromote', { path: { image: '' } }),
  call('diskCreate', {
    query,
    body: {
      name: '',
      description: '',
      size: Number.NaN,
      diskBackend: {
        type: 'distributed',
        diskSource: { type: 'image', imageId: '', readOnly: false },
      },
    },
  }),
  call('instanceNetworkInterfaceCreate', {
    query: { ...query, ...path },
    body: { name: '', description: '', vpcName: '', subnetName: '' },
  }),
]
