/** Certificate of the first silo. It serves nothing, so its key is no secret. */
import { must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const cert = `-----BEGIN CERTIFICATE-----
MIIBTzCB9qADAgECAgEHMAoGCCqGSM49BAMCMB8xHTAbBgNVBAMMFG1haW4uc3lz
LnBsYWNlaG9sZGVyMB4XDTI1MDEwMTAwMDAwMFoXDTM1MDEwMTAwMDAwMFowHzEd
MBsGA1UEAwwUbWFpbi5zeXMucGxhY2Vob2xkZXIwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQuTjb1Fy4xSXX/C7EpBHnQG4Og/w5EXk7vim7nN173ch4I1NT/vg2A
CGyRHLyxTQ5CVa5AoluxCqoCBxETdJMWoyMwITAfBgNVHREEGDAWghRtYWluLnN5
cy5wbGFjZWhvbGRlcjAKBggqhkjOPQQDAgNIADBFAiBal5VwzK9J5I8RM7tyejpI
o0s1IbGBKCE0v5HVIEerawIhAKj+Wn4ojoIZTHTHRwPc0BOTJd5W9dQgMrg17LVo
XqM5
-----END CERTIFICATE-----
`

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgE4JJSfA8jVtO9s1z
lgf+DykuqGA/bpTL/aVkT72ykrShRANCAAQuTjb1Fy4xSXX/C7EpBHnQG4Og/w5E
Xk7vim7nN173ch4I1NT/vg2ACGyRHLyxTQ5CVa5AoluxCqoCBxETdJMW
-----END PRIVATE KEY-----
`

export const certificateMoments: Moment[] = [
  {
    daysAgo: 140,
    happen: async ({ api }) =>
      must(
        await api.certificateCreate({
          body: {
            name: 'console',
            description: 'For the console and the API of this silo',
            service: 'external_api',
            cert,
            key,
          },
        }),
      ),
  },
]
