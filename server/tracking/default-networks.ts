/**
 * Networks of programs that open mails and follow links on behalf of people. An operator can replace the whole list by a file
 * of the same form. Cloud providers are `probable`, because people reach the web through them too.
 */
export const defaultNetworks = `
# Apple's privacy relay: fetches the images of every mail
17.0.0.0/8 all machine apple
104.28.0.0/16 all machine apple
140.248.0.0/16 all machine apple
146.75.0.0/16 all machine apple
172.224.0.0/12 all machine apple
2606:54c0::/32 all machine apple
2a02:26f7::/32 all machine apple
2a04:4e41::/32 all machine apple
2a09:bac2::/31 all machine apple

# Link scanners in front of mail servers
40.92.0.0/15 clicks machine microsoft
40.107.0.0/16 clicks machine microsoft
52.100.0.0/14 clicks machine microsoft
104.47.0.0/17 clicks machine microsoft
2a01:111:f400::/48 clicks machine microsoft
67.231.144.0/20 clicks machine proofpoint
148.163.128.0/19 clicks machine proofpoint
185.132.180.0/22 clicks machine proofpoint
185.183.28.0/22 clicks machine proofpoint
208.84.64.0/22 clicks machine proofpoint
51.163.158.0/23 clicks machine mimecast
91.220.42.0/24 clicks machine mimecast
146.101.78.0/24 clicks machine mimecast
185.58.84.0/22 clicks machine mimecast
195.130.217.0/24 clicks machine mimecast
205.139.110.0/23 clicks machine mimecast
207.211.30.0/23 clicks machine mimecast
64.235.144.0/20 clicks machine barracuda
209.222.80.0/21 clicks machine barracuda
68.232.128.0/19 clicks machine cisco
139.138.32.0/19 clicks machine cisco
184.94.240.0/20 clicks machine cisco
67.219.240.0/20 clicks machine symantec
85.158.136.0/21 clicks machine symantec
193.109.254.0/23 clicks machine symantec
195.245.230.0/23 clicks machine symantec
216.82.240.0/20 clicks machine symantec
150.70.0.0/16 clicks machine trendmicro
198.154.180.0/23 clicks machine sophos
208.91.112.0/22 clicks machine fortinet

# Data centres, where scanners without networks of their own run
3.208.0.0/12 clicks probable datacenter
18.204.0.0/14 clicks probable datacenter
34.64.0.0/10 clicks probable datacenter
34.192.0.0/12 clicks probable datacenter
35.184.0.0/13 clicks probable datacenter
35.192.0.0/12 clicks probable datacenter
44.192.0.0/11 clicks probable datacenter
54.144.0.0/12 clicks probable datacenter
`
