//! Signs in by the device flow and works with projects, keys, disks and instances through the
//! published Rust SDK of this API, the basis of its command line tool. OXIDE_HOST is the address of
//! the host. The code to confirm is printed on a separate line.
use std::time::{Duration, Instant};

use futures::TryStreamExt;
use oauth2::basic::BasicClient;
use oauth2::{
    AuthType, ClientId, DeviceAuthorizationUrl, HttpRequest, HttpResponse,
    StandardDeviceAuthorizationResponse, TokenResponse, TokenUrl,
};
use oxide::types;
use oxide::{
    Client, ClientConfig, ClientCurrentUserExt, ClientDisksExt, ClientFloatingIpsExt,
    ClientInstancesExt, ClientProjectsExt, ClientTokensExt, ClientVpcsExt,
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const PROJECT: &str = "by-rust";
const GIB: u64 = 1 << 30;
/// Timeout for the boot of an instance.
const PATIENCE: Duration = Duration::from_secs(30);

/// The device flow of RFC 8628 by a generic OAuth 2 client.
async fn access_token(host: &str) -> Result<String, Failure> {
    let http = reqwest::Client::new();
    let send = |request: HttpRequest| {
        let http = http.clone();
        async move {
            let answer = http.execute(request.try_into()?).await?;
            let mut response = HttpResponse::new(Vec::new());
            *response.status_mut() = answer.status();
            *response.headers_mut() = answer.headers().clone();
            *response.body_mut() = answer.bytes().await?.to_vec();
            Ok::<_, reqwest::Error>(response)
        }
    };
    let client = BasicClient::new(ClientId::new(uuid::Uuid::new_v4().to_string()))
        .set_auth_type(AuthType::RequestBody)
        .set_device_authorization_url(DeviceAuthorizationUrl::new(format!("{host}/device/auth"))?)
        .set_token_uri(TokenUrl::new(format!("{host}/device/token"))?);
    let asked: StandardDeviceAuthorizationResponse =
        client.exchange_device_code().request_async(&send).await?;
    println!("code {}", asked.user_code().secret());
    println!("  to be confirmed at {}", asked.verification_uri().as_str());
    let granted = client
        .exchange_device_access_token(&asked)
        .request_async(&send, tokio::time::sleep, None)
        .await?;
    Ok(granted.access_token().secret().clone())
}

/// Waits until an instance is in a state.
async fn reach(client: &Client, id: uuid::Uuid, state: types::InstanceState) -> Result<(), Failure> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let instance = client.instance_view().instance(id.to_string()).send().await?;
        if instance.run_state == state {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!("the instance is not {state} after {PATIENCE:?}").into())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let host = std::env::var("OXIDE_HOST")?;
    let token = access_token(&host).await?;
    println!("signed in by the device flow");
    let config = ClientConfig::default().with_host_and_token(&host, &token);
    let client = Client::new_authenticated_config(&config)?;

    let user = client.current_user_view().send().await?;
    println!("asked who is signed in: {} in silo {}", user.display_name, *user.silo_name);

    client
        .project_create()
        .body_map(|body| body.name(PROJECT).description("Made with the Rust SDK"))
        .send()
        .await?;
    println!("created a project");
    client
        .current_user_ssh_key_create()
        .body_map(|body| body.name(PROJECT).description("A key").public_key("ssh-ed25519 AAAA rust"))
        .send()
        .await?;
    println!("added an SSH key");
    client
        .floating_ip_create()
        .project(PROJECT)
        .body_map(|body| body.name("way-in").description("An address"))
        .send()
        .await?;
    println!("created a floating IP");

    let created = client
        .instance_create()
        .project(PROJECT)
        .body(types::InstanceCreate::try_from(
            types::InstanceCreate::builder()
                .name("box")
                .description("An instance")
                .hostname("box")
                .ncpus(1)
                .memory(GIB)
                .boot_disk(types::InstanceDiskAttachment::Create {
                    name: "root".parse()?,
                    description: "Its boot disk".into(),
                    size: GIB.into(),
                    disk_backend: types::DiskBackend::Distributed(types::DiskSource::Blank {
                        block_size: 512.try_into()?,
                    }),
                })
                .external_ips(vec![types::ExternalIpCreate::Floating {
                    floating_ip: "way-in".parse()?,
                }])
                .ssh_public_keys(vec![PROJECT.parse()?]),
        )?)
        .send()
        .await?;
    println!("created an instance");
    reach(&client, created.id, types::InstanceState::Running).await?;
    println!("saw it run");

    let instances: Vec<_> =
        client.instance_list().project(PROJECT).stream().try_collect().await?;
    assert_eq!(instances.len(), 1);
    let disks: Vec<_> = client.disk_list().project(PROJECT).stream().try_collect().await?;
    assert_eq!(disks.len(), 1);
    println!("listed instances and disks");

    let id = created.id;
    client.instance_stop().instance(id.to_string()).send().await?;
    reach(&client, id, types::InstanceState::Stopped).await?;
    println!("stopped the instance");
    client.instance_delete().instance(id.to_string()).send().await?;
    client.disk_delete().project(PROJECT).disk("root").send().await?;
    client.floating_ip_delete().project(PROJECT).floating_ip("way-in").send().await?;
    client.current_user_ssh_key_delete().ssh_key(PROJECT).send().await?;
    client.vpc_subnet_delete().project(PROJECT).vpc("default").subnet("default").send().await?;
    client.vpc_delete().project(PROJECT).vpc("default").send().await?;
    client.project_delete().project(PROJECT).send().await?;
    println!("deleted all of it");

    let tokens: Vec<_> = client.current_user_access_token_list().stream().try_collect().await?;
    for token in tokens {
        client.current_user_access_token_delete().token_id(token.id).send().await?;
    }
    println!("revoked its access token");
    match client.current_user_view().send().await {
        Err(oxide::Error::ErrorResponse(answer)) if answer.status() == 401 => {
            println!("was refused with the revoked token");
            Ok(())
        }
        Err(error) => Err(error.into()),
        Ok(_) => Err("a revoked token still works".into()),
    }
}
