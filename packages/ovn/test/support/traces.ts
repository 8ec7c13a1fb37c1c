/**
 * Output of `ovn-trace --detailed` of OVN 23.03, without the actions that lead nowhere; and of the
 * stages of later versions, which decide and act apart.
 */

export const allowed = `
ingress(dp="subnet-public", inport="nic-bastion-0")
 0. ls_in_check_port_sec (northd.c:8432): 1, priority 50, uuid e1aa81b0
 4. ls_in_pre_acl (northd.c:5922): ip, priority 100, uuid 3b565561
 6. ls_in_pre_stateful (northd.c:6140): reg0[0] == 1, priority 100, uuid d657249d
 7. ls_in_acl_hint (northd.c:6190): ct.new && !ct.est, priority 7, uuid 4c386fca
 8. ls_in_acl (northd.c:6445): reg0[7] == 1 && (inport == @s_515601b885624620 && ip), priority 1001, uuid 2e524f2e
18. ls_in_stateful (northd.c:7607): reg0[1] == 1 && reg0[13] == 0, priority 100, uuid f39c57ab
25. ls_in_l2_lkup (northd.c:9122): eth.dst == a8:40:25:f0:01:02, priority 50, uuid 246a60b6
    outport = "nic-web-0";
egress(dp="subnet-public", inport="nic-bastion-0", outport="nic-web-0")
 0. ls_out_pre_acl (northd.c:5924): ip, priority 100, uuid 5e57ef1d
 2. ls_out_pre_stateful (northd.c:6143): reg0[0] == 1, priority 100, uuid e0d41504
 3. ls_out_acl_hint (northd.c:6190): ct.new && !ct.est, priority 7, uuid f7b430a5
 4. ls_out_acl (northd.c:6445): reg0[7] == 1 && (outport == @s_515601b885624620_93c5367b7abad8ef && tcp.dst == {22}), priority 30999, uuid e5668557
 7. ls_out_stateful (northd.c:7611): reg0[1] == 1 && reg0[13] == 0, priority 100, uuid 248a39af
 8. ls_out_check_port_sec (northd.c:5772): 1, priority 0, uuid 827471f8
 9. ls_out_apply_port_sec (northd.c:5777): 1, priority 0, uuid 11636c0c
    /* output to "nic-web-0", type "" */
`

export const denied = `
ingress(dp="subnet-public", inport="nic-bastion-0")
 0. ls_in_check_port_sec (northd.c:8432): 1, priority 50, uuid e1aa81b0
 4. ls_in_pre_acl (northd.c:5922): ip, priority 100, uuid 3b565561
 6. ls_in_pre_stateful (northd.c:6140): reg0[0] == 1, priority 100, uuid d657249d
 7. ls_in_acl_hint (northd.c:6190): ct.new && !ct.est, priority 7, uuid 4c386fca
 8. ls_in_acl (northd.c:6543): reg0[9] == 1 && (inport == @s_515601b885624620_c48d597f6a683238 && tcp.dst == {23}), priority 31000, uuid 4de20c86
    drop;
`

/** By a rule that logs. */
export const loggedDenial = `
ingress(dp="subnet-95887e", inport="d38d17")
 8. ls_in_acl (northd.c:6445): reg0[7] == 1 && (inport == @s_42aa397d22da1353 && ip), priority 1001, uuid 2e524f2e
25. ls_in_l2_lkup (northd.c:9122): eth.dst == a8:40:25:fd:c2:9e, priority 50, uuid 4744c679
egress(dp="subnet-95887e", inport="d38d17", outport="6a5dce")
 3. ls_out_acl_hint (northd.c:6190): ct.new && !ct.est, priority 7, uuid c26e0250
 4. ls_out_acl (northd.c:6543): reg0[9] == 1 && (outport == @s_42aa397d22da1353 && ip), priority 31000, uuid 4de20c86
    log(name="42aa397d22da1353-e4ee46c846365b9a", verdict=drop, severity=info, meter="s_42aa397d22da1353_logged");
LOG: ACL name=42aa397d22da1353-e4ee46c846365b9a, direction=OUT, verdict=drop, severity=info
`

export const spoofed = `
ingress(dp="subnet-public", inport="nic-bastion-0")
 0. ls_in_check_port_sec (northd.c:8432): 1, priority 50, uuid e1aa81b0
 1. ls_in_apply_port_sec (northd.c:8435): reg0[15] == 1, priority 50, uuid 559dbb54
    drop;
`

export const policy = `
ingress(dp="subnet-public", inport="nic-web-0")
 0. ls_in_check_port_sec (northd.c:8432): 1, priority 50, uuid e1aa81b0
 4. ls_in_pre_acl (northd.c:5922): ip, priority 100, uuid 3b565561
 6. ls_in_pre_stateful (northd.c:6140): reg0[0] == 1, priority 100, uuid d657249d
 7. ls_in_acl_hint (northd.c:6190): ct.new && !ct.est, priority 7, uuid 4c386fca
 8. ls_in_acl (northd.c:6445): reg0[7] == 1 && (inport == @s_515601b885624620 && ip), priority 1001, uuid 2e524f2e
18. ls_in_stateful (northd.c:7607): reg0[1] == 1 && reg0[13] == 0, priority 100, uuid f39c57ab
25. ls_in_l2_lkup (northd.c:9193): eth.dst == 02:18:c7:7f:2f:b4, priority 50, uuid 574e03be
    outport = "subnet-public-router";
egress(dp="subnet-public", inport="nic-web-0", outport="subnet-public-router")
 0. ls_out_pre_acl (northd.c:5809): ip && outport == "subnet-public-router", priority 110, uuid c89d8e39
 1. ls_out_pre_lb (northd.c:5809): ip && outport == "subnet-public-router", priority 110, uuid 8efc28a9
 3. ls_out_acl_hint (northd.c:6190): ct.new && !ct.est, priority 7, uuid f7b430a5
 4. ls_out_acl (northd.c:6811): ip && !ct.est, priority 1, uuid 435c7726
 7. ls_out_stateful (northd.c:7611): reg0[1] == 1 && reg0[13] == 0, priority 100, uuid 248a39af
 8. ls_out_check_port_sec (northd.c:5772): 1, priority 0, uuid 827471f8
 9. ls_out_apply_port_sec (northd.c:5777): 1, priority 0, uuid 11636c0c
    /* output to "subnet-public-router", type "patch" */
ingress(dp="vpc-shop", inport="router-public")
 0. lr_in_admission (northd.c:11554): eth.dst == 02:18:c7:7f:2f:b4 && inport == "router-public", priority 50, uuid 121cdae0
 1. lr_in_lookup_neighbor (northd.c:11731): 1, priority 0, uuid f1e86c63
 2. lr_in_learn_neighbor (northd.c:11740): reg9[2] == 1, priority 100, uuid 6c0506c0
12. lr_in_ip_routing_pre (northd.c:11968): 1, priority 0, uuid 0be6fe3b
13. lr_in_ip_routing (northd.c:10388): reg7 == 0 && ip4.dst == 0.0.0.0/0, priority 1, uuid 9505aec5
    outport = "uplink-shop";
14. lr_in_ip_routing_ecmp (northd.c:12046): reg8[0..15] == 0, priority 150, uuid 353240f1
15. lr_in_policy (northd.c:9526): inport == {"router-public", "router-private"} && ip4.dst == 0.0.0.0/0, priority 29991, uuid 6a27a32e
    drop;
`

export const nobody = `
ingress(dp="subnet-public", inport="nic-bastion-0")
 0. ls_in_check_port_sec (northd.c:8432): 1, priority 50, uuid e1aa81b0
 4. ls_in_pre_acl (northd.c:5922): ip, priority 100, uuid 3b565561
 6. ls_in_pre_stateful (northd.c:6140): reg0[0] == 1, priority 100, uuid d657249d
 7. ls_in_acl_hint (northd.c:6190): ct.new && !ct.est, priority 7, uuid 4c386fca
 8. ls_in_acl (northd.c:6445): reg0[7] == 1 && (inport == @s_515601b885624620 && ip), priority 1001, uuid 2e524f2e
18. ls_in_stateful (northd.c:7607): reg0[1] == 1 && reg0[13] == 0, priority 100, uuid f39c57ab
25. ls_in_l2_lkup (northd.c:9193): eth.dst == 02:18:c7:7f:2f:b4, priority 50, uuid 574e03be
    outport = "subnet-public-router";
egress(dp="subnet-public", inport="nic-bastion-0", outport="subnet-public-router")
 0. ls_out_pre_acl (northd.c:5809): ip && outport == "subnet-public-router", priority 110, uuid c89d8e39
 1. ls_out_pre_lb (northd.c:5809): ip && outport == "subnet-public-router", priority 110, uuid 8efc28a9
 3. ls_out_acl_hint (northd.c:6190): ct.new && !ct.est, priority 7, uuid f7b430a5
 4. ls_out_acl (northd.c:6811): ip && !ct.est, priority 1, uuid 435c7726
 7. ls_out_stateful (northd.c:7611): reg0[1] == 1 && reg0[13] == 0, priority 100, uuid 248a39af
 8. ls_out_check_port_sec (northd.c:5772): 1, priority 0, uuid 827471f8
 9. ls_out_apply_port_sec (northd.c:5777): 1, priority 0, uuid 11636c0c
    /* output to "subnet-public-router", type "patch" */
ingress(dp="vpc-shop", inport="router-public")
 0. lr_in_admission (northd.c:11554): eth.dst == 02:18:c7:7f:2f:b4 && inport == "router-public", priority 50, uuid 121cdae0
 1. lr_in_lookup_neighbor (northd.c:11731): 1, priority 0, uuid f1e86c63
 2. lr_in_learn_neighbor (northd.c:11740): reg9[2] == 1, priority 100, uuid 6c0506c0
12. lr_in_ip_routing_pre (northd.c:11968): 1, priority 0, uuid 0be6fe3b
13. lr_in_ip_routing (northd.c:10388): ip4.dst == 172.30.4.0/22, priority 68, uuid 89b63791
    outport = "router-private";
14. lr_in_ip_routing_ecmp (northd.c:12046): reg8[0..15] == 0, priority 150, uuid 353240f1
15. lr_in_policy (northd.c:9526): inport == {"router-public", "router-private"} && ip4.dst == 172.30.4.0/22 && ip4.dst == 172.30.4.0/22, priority 29996, uuid 431c79ee
16. lr_in_policy_ecmp (northd.c:12215): reg8[0..15] == 0, priority 150, uuid 6189d016
17. lr_in_arp_resolve (northd.c:12250): ip4, priority 1, uuid a3536530
21. lr_in_arp_request (northd.c:12929): eth.dst == 00:00:00:00:00:00 && ip4, priority 100, uuid c46a2108
    arp { eth.dst = ff:ff:ff:ff:ff:ff; arp.spa = reg1; arp.tpa = reg0; arp.op = 1; output; };
egress(dp="vpc-shop", inport="router-public", outport="router-private")
 0. lr_out_chk_dnat_local (northd.c:14245): 1, priority 0, uuid a01890a9
 6. lr_out_delivery (northd.c:12995): outport == "router-private", priority 100, uuid ca29a817
    /* output to "router-private", type "patch" */
ingress(dp="subnet-private", inport="subnet-private-router")
 0. ls_in_check_port_sec (northd.c:8432): 1, priority 50, uuid e1aa81b0
 4. ls_in_pre_acl (northd.c:5909): eth.mcast, priority 110, uuid 48b45ba2
`

export const outside = `
ingress(dp="subnet-public", inport="nic-bastion-0")
 0. ls_in_check_port_sec (northd.c:8432): 1, priority 50, uuid e1aa81b0
 4. ls_in_pre_acl (northd.c:5922): ip, priority 100, uuid 3b565561
 6. ls_in_pre_stateful (northd.c:6140): reg0[0] == 1, priority 100, uuid d657249d
 7. ls_in_acl_hint (northd.c:6190): ct.new && !ct.est, priority 7, uuid 4c386fca
 8. ls_in_acl (northd.c:6445): reg0[7] == 1 && (inport == @s_515601b885624620 && ip), priority 1001, uuid 2e524f2e
18. ls_in_stateful (northd.c:7607): reg0[1] == 1 && reg0[13] == 0, priority 100, uuid f39c57ab
25. ls_in_l2_lkup (northd.c:9193): eth.dst == 02:18:c7:7f:2f:b4, priority 50, uuid 574e03be
    outport = "subnet-public-router";
egress(dp="subnet-public", inport="nic-bastion-0", outport="subnet-public-router")
 0. ls_out_pre_acl (northd.c:5809): ip && outport == "subnet-public-router", priority 110, uuid c89d8e39
 1. ls_out_pre_lb (northd.c:5809): ip && outport == "subnet-public-router", priority 110, uuid 8efc28a9
 3. ls_out_acl_hint (northd.c:6190): ct.new && !ct.est, priority 7, uuid f7b430a5
 4. ls_out_acl (northd.c:6811): ip && !ct.est, priority 1, uuid 435c7726
 7. ls_out_stateful (northd.c:7611): reg0[1] == 1 && reg0[13] == 0, priority 100, uuid 248a39af
 8. ls_out_check_port_sec (northd.c:5772): 1, priority 0, uuid 827471f8
 9. ls_out_apply_port_sec (northd.c:5777): 1, priority 0, uuid 11636c0c
    /* output to "subnet-public-router", type "patch" */
ingress(dp="vpc-shop", inport="router-public")
 0. lr_in_admission (northd.c:11554): eth.dst == 02:18:c7:7f:2f:b4 && inport == "router-public", priority 50, uuid 121cdae0
 1. lr_in_lookup_neighbor (northd.c:11731): 1, priority 0, uuid f1e86c63
 2. lr_in_learn_neighbor (northd.c:11740): reg9[2] == 1, priority 100, uuid 6c0506c0
12. lr_in_ip_routing_pre (northd.c:11968): 1, priority 0, uuid 0be6fe3b
13. lr_in_ip_routing (northd.c:10388): reg7 == 0 && ip4.dst == 0.0.0.0/0, priority 1, uuid 9505aec5
    outport = "uplink-shop";
14. lr_in_ip_routing_ecmp (northd.c:12046): reg8[0..15] == 0, priority 150, uuid 353240f1
15. lr_in_policy (northd.c:9526): inport == {"router-public", "router-private"} && ip4.dst == 0.0.0.0/0 && ip4.src == $s_515601b885624620_sources_v4, priority 29992, uuid a241b423
    outport = "uplink-shop";
16. lr_in_policy_ecmp (northd.c:12215): reg8[0..15] == 0, priority 150, uuid 6189d016
17. lr_in_arp_resolve (northd.c:12250): ip4, priority 1, uuid a3536530
20. lr_in_gw_redirect (northd.c:12830): outport == "uplink-shop", priority 50, uuid 4251aa0d
    outport = "cr-uplink-shop";
21. lr_in_arp_request (northd.c:12948): 1, priority 0, uuid fa887449
egress(dp="vpc-shop", inport="router-public", outport="uplink-shop")
 0. lr_out_chk_dnat_local (northd.c:14245): 1, priority 0, uuid a01890a9
 1. lr_out_undnat (northd.c:13828): ip && ip4.src == 172.30.0.5 && outport == "uplink-shop" && is_chassis_resident("cr-uplink-shop"), priority 100, uuid 873eca7d
 3. lr_out_snat (northd.c:13958): ip && ip4.src == 172.30.0.5 && outport == "uplink-shop" && is_chassis_resident("cr-uplink-shop"), priority 161, uuid 00cba8f0
 6. lr_out_delivery (northd.c:12995): outport == "uplink-shop", priority 100, uuid cfdcda20
    /* output to "uplink-shop", type "patch" */
ingress(dp="outside-shop", inport="uplink-shop-router")
 0. ls_in_check_port_sec (northd.c:8432): 1, priority 50, uuid e1aa81b0
 5. ls_in_pre_lb (northd.c:5806): ip && inport == "uplink-shop-router", priority 110, uuid b9c7ad92
 8. ls_in_acl (northd.c:6416): inport == "uplink-shop-router" && (ip4.src == $s_515601b885624620_outside_v4 || ip6.src == $s_515601b885624620_outside_v6 || nd || nd_rs || nd_ra), priority 1002, uuid 2a33e493
25. ls_in_l2_lkup (northd.c:8373): 1, priority 0, uuid f9c30411
    outport = get_fdb(eth.dst);
26. ls_in_l2_unknown (northd.c:8377): outport == "none", priority 50, uuid 7baeaf9f
    outport = "_MC_unknown";
multicast(dp="outside-shop", mcgroup="_MC_unknown")
    egress(dp="outside-shop", inport="uplink-shop-router", outport="uplink-shop-network")
         1. ls_out_pre_lb (northd.c:5809): ip && outport == "uplink-shop-network", priority 110, uuid 59ddc2de
         8. ls_out_check_port_sec (northd.c:5772): 1, priority 0, uuid 827471f8
         9. ls_out_apply_port_sec (northd.c:5777): 1, priority 0, uuid 11636c0c
            /* output to "uplink-shop-network", type "localnet" */
`

export const later = `
ingress(dp="subnet-public", inport="nic-bastion-0")
 8. ls_in_acl_eval (northd.c:7230): reg0[8] == 1 && (inport == @s_1 && tcp.dst == {23}), priority 31000, uuid 4de20c86
    reg8[17] = 1;
    next;
 9. ls_in_acl_action (northd.c:7245): reg8[17] == 1, priority 1000, uuid 11111111
    reg8[16] = 0;
    reg8[17] = 0;
    reg8[18] = 0;
    drop;
`
