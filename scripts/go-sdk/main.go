// Works with projects, keys, disks and instances through the published Go SDK of this API.
// OXIDE_HOST and OXIDE_TOKEN select the server and the user.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/oxidecomputer/oxide.go/oxide"
)

const (
	project = "by-go"
	gib     = 1 << 30
	// Timeout for the boot of an instance.
	patience = 30 * time.Second
)

// done exits if a step has failed.
func done(step string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", step, err)
		os.Exit(1)
	}
	fmt.Println(step)
}

// reach waits until an instance is in a state.
func reach(ctx context.Context, client *oxide.Client, id oxide.NameOrId, state oxide.InstanceState) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		instance, err := client.InstanceView(ctx, oxide.InstanceViewParams{Instance: id})
		if err != nil {
			return err
		}
		if instance.RunState == state {
			return nil
		}
	}
	return fmt.Errorf("the instance is not %s after %s", state, patience)
}

func main() {
	ctx := context.Background()
	client, err := oxide.NewClient(nil)
	done("made a client", err)

	user, err := client.CurrentUserView(ctx)
	done("asked who is signed in", err)
	fmt.Printf("  %s in silo %s\n", user.DisplayName, user.SiloName)

	_, err = client.ProjectCreate(ctx, oxide.ProjectCreateParams{
		Body: &oxide.ProjectCreate{Name: project, Description: "Made with the Go SDK"},
	})
	done("created a project", err)
	_, err = client.CurrentUserSshKeyCreate(ctx, oxide.CurrentUserSshKeyCreateParams{
		Body: &oxide.SshKeyCreate{Name: project, Description: "A key", PublicKey: "ssh-ed25519 AAAA go"},
	})
	done("added an SSH key", err)

	blank := oxide.DiskSource{Type: oxide.DiskSourceTypeBlank, BlockSize: 512}
	_, err = client.DiskCreate(ctx, oxide.DiskCreateParams{
		Project: project,
		Body:    &oxide.DiskCreate{Name: "data", Description: "A disk", Size: gib, DiskSource: blank},
	})
	done("created a disk", err)

	instance, err := client.InstanceCreate(ctx, oxide.InstanceCreateParams{
		Project: project,
		Body: &oxide.InstanceCreate{
			Name: "box", Description: "An instance", Hostname: "box", Ncpus: 1, Memory: gib,
			BootDisk: &oxide.InstanceDiskAttachment{
				Type: oxide.InstanceDiskAttachmentTypeCreate,
				Name: "root", Description: "Its boot disk", Size: gib, DiskSource: blank,
			},
			NetworkInterfaces: oxide.InstanceNetworkInterfaceAttachment{
				Type: oxide.InstanceNetworkInterfaceAttachmentTypeDefault,
			},
			SshPublicKeys: []oxide.NameOrId{project},
		},
	})
	done("created an instance", err)
	id := oxide.NameOrId(instance.Id)
	done("saw it run", reach(ctx, client, id, oxide.InstanceStateRunning))

	instances, err := client.InstanceListAllPages(ctx, oxide.InstanceListParams{Project: project})
	done("listed the instances", err)
	if len(instances) != 1 {
		done("counted them", fmt.Errorf("there are %d instead of 1", len(instances)))
	}

	_, err = client.InstanceStop(ctx, oxide.InstanceStopParams{Instance: id})
	done("stopped the instance", err)
	done("saw it stopped", reach(ctx, client, id, oxide.InstanceStateStopped))
	done("deleted the instance", client.InstanceDelete(ctx, oxide.InstanceDeleteParams{Instance: id}))
	for _, disk := range []oxide.NameOrId{"root", "data"} {
		err = client.DiskDelete(ctx, oxide.DiskDeleteParams{Disk: disk, Project: project})
		done(fmt.Sprintf("deleted the disk %s", disk), err)
	}
	done("deleted the key", client.CurrentUserSshKeyDelete(ctx, oxide.CurrentUserSshKeyDeleteParams{SshKey: project}))
	done("deleted the subnet", client.VpcSubnetDelete(ctx, oxide.VpcSubnetDeleteParams{Subnet: "default", Vpc: "default", Project: project}))
	done("deleted the VPC", client.VpcDelete(ctx, oxide.VpcDeleteParams{Vpc: "default", Project: project}))
	done("deleted the project", client.ProjectDelete(ctx, oxide.ProjectDeleteParams{Project: project}))

	tokens, err := client.CurrentUserAccessTokenListAllPages(ctx, oxide.CurrentUserAccessTokenListParams{})
	done("listed the access tokens", err)
	for _, token := range tokens {
		err = client.CurrentUserAccessTokenDelete(ctx, oxide.CurrentUserAccessTokenDeleteParams{TokenId: token.Id})
		done("revoked the access token", err)
	}
	if _, err = client.CurrentUserView(ctx); err == nil {
		done("asked again", fmt.Errorf("a revoked token still works"))
	}
	fmt.Println("was refused with the revoked token")
}
