"""An identity provider with requests and responses by pysaml2, and signatures by libxmlsec1. It is
added to a silo, and signs users in to it."""

import base64
import datetime
import html
import os
import sys
import tempfile
from urllib.parse import parse_qs, urlsplit

import requests
import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from lxml import etree
from saml2 import BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_UNSPECIFIED, NameID
from saml2.server import Server

HOST = os.environ["STEADING_HOST"]
ENTITY_ID = "https://idp.example/metadata"
ACS = f"{HOST}/login/guild/saml/pysaml2"
NAMES = {
    "saml": "urn:oasis:names:tc:SAML:2.0:assertion",
    "samlp": "urn:oasis:names:tc:SAML:2.0:protocol",
}

failures = 0


def check(what, holds, seen=""):
    global failures
    failures += not holds
    print(f"{'ok  ' if holds else 'FAIL'} {what} {seen}".rstrip(), flush=True)


def make_key(directory):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "idp.example")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=30))
        .sign(key, hashes.SHA256())
    )
    files = (f"{directory}/key.pem", f"{directory}/certificate.pem")
    with open(files[0], "wb") as file:
        file.write(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.TraditionalOpenSSL,
                serialization.NoEncryption(),
            )
        )
    with open(files[1], "wb") as file:
        file.write(certificate.public_bytes(serialization.Encoding.PEM))
    return files


def provider_config(key, certificate, **more):
    return IdPConfig().load(
        {
            "entityid": ENTITY_ID,
            "key_file": key,
            "cert_file": certificate,
            "service": {
                "idp": {
                    "endpoints": {
                        "single_sign_on_service": [("https://idp.example/sso", BINDING_HTTP_REDIRECT)]
                    },
                    "policy": {"default": {"attribute_restrictions": None}},
                }
            },
            **more,
        }
    )


def sign(element, key, certificate):
    """Signs an element by its ID; the signature follows its issuer."""
    signature = xmlsec.template.create(
        element, xmlsec.Transform.EXCL_C14N, xmlsec.Transform.RSA_SHA256, ns="ds"
    )
    element.insert(1, signature)
    reference = xmlsec.template.add_reference(
        signature, xmlsec.Transform.SHA256, uri=f"#{element.get('ID')}"
    )
    xmlsec.template.add_transform(reference, xmlsec.Transform.ENVELOPED)
    xmlsec.template.add_transform(reference, xmlsec.Transform.EXCL_C14N)
    xmlsec.template.add_x509_data(xmlsec.template.ensure_key_info(signature))
    xmlsec.tree.add_ids(element, ["ID"])
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_file(key, xmlsec.KeyFormat.PEM)
    context.key.load_cert_from_file(certificate, xmlsec.KeyFormat.PEM)
    context.sign(signature)


class Provider:
    def __init__(self, files, service_metadata):
        self.files = files
        self.server = Server(
            config=provider_config(
                *files,
                metadata={"inline": [service_metadata]},
                # Has to exist, but is never run, because libxmlsec1 signs as a library.
                xmlsec_binary=sys.executable,
            )
        )

    def answer(self, query, name, groups, signed=("Assertion",)):
        """The response to a request delivered by a browser."""
        request = self.server.parse_authn_request(query["SAMLRequest"][0], BINDING_HTTP_REDIRECT)
        asked = self.server.response_args(request.message, [
            "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
        ])
        xml = self.server.create_authn_response(
            {"groups": groups},
            in_response_to=asked["in_response_to"],
            destination=asked["destination"],
            sp_entity_id=asked["sp_entity_id"],
            name_id=NameID(format=NAMEID_FORMAT_UNSPECIFIED, text=name),
            authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"},
            sign_response=False,
            sign_assertion=False,
        )
        root = etree.fromstring(str(xml).encode())
        if "Assertion" in signed:
            sign(root.find("saml:Assertion", NAMES), *self.files)
        if "Response" in signed:
            sign(root, *self.files)
        return etree.tostring(root)


def operator(method, path, **body):
    headers = {"authorization": f"Bearer {os.environ['STEADING_TOKEN']}"}
    response = requests.request(method, f"{HOST}{path}", headers=headers, json=body or None)
    response.raise_for_status()
    return response


def ask():
    """Starts signing in. @returns the request to the provider, and the browser"""
    browser = requests.Session()
    redirect = browser.get(f"{ACS}/redirect?redirect_uri=/settings/profile", allow_redirects=False)
    return parse_qs(urlsplit(redirect.headers["location"]).query), browser


def bring(browser, query, xml):
    """Delivers a response by the browser, which gets the cookies."""
    form = {
        "SAMLResponse": base64.b64encode(xml).decode(),
        "RelayState": query["RelayState"][0],
    }
    return browser.post(ACS, data=form, allow_redirects=False)


def refused(what, browser, query, xml):
    response = bring(browser, query, xml)
    holds = response.status_code == 400 and "session" not in response.cookies
    try:
        seen = response.json()["message"]
    except ValueError:
        seen = html.unescape(response.text)[:200]
    check(f"{what} is refused:", holds, f"{response.status_code} {seen}")


def main(directory):
    files = make_key(directory)
    metadata = str(entity_descriptor(provider_config(*files)))
    operator(
        "POST", "/v1/system/silos", name="guild", description="", discoverable=True,
        identity_mode="saml_jit", admin_group_name="masters", tls_certificates=[],
        quotas={"cpus": 1, "memory": 2**30, "storage": 2**30}, mapped_fleet_roles={},
    )  # fmt: skip
    made = operator(
        "POST", "/v1/system/identity-providers/saml?silo=guild", name="pysaml2", description="",
        idp_metadata_source={
            "type": "base64_encoded_xml",
            "data": base64.b64encode(metadata.encode()).decode(),
        },
        idp_entity_id=ENTITY_ID, sp_client_id="https://cloud.example/sp", acs_url=ACS,
        slo_url=f"{HOST}/logout", technical_contact_email="ops@example.com",
        group_attribute_name="groups",
    ).json()  # fmt: skip
    check("the metadata of pysaml2 is understood", made["name"] == "pysaml2")
    service = operator("GET", f"/x/v1/identity-providers/saml/{made['id']}/metadata").text
    provider = Provider(files, service)
    check("pysaml2 understands the metadata of the silo", True)

    for signed in [("Assertion",), ("Assertion", "Response")]:
        query, browser = ask()
        xml = provider.answer(query, "ada", ["masters", "millers"], signed)
        response = bring(browser, query, xml)
        what = f"a user signs in, signed: {' and '.join(signed)}"
        check(what, response.status_code == 303, f"-> {response.headers.get('location')}")
        me = browser.get(f"{HOST}/v1/me").json()
        groups = browser.get(f"{HOST}/v1/me/groups").json()["items"]
        names = sorted(group["display_name"] for group in groups)
        check("and is who the provider said", me.get("display_name") == "ada", names)
        check("with their groups", names == ["masters", "millers"])
        project = browser.post(
            f"{HOST}/v1/projects",
            json={"name": f"project-{len(signed)}", "description": ""},
        )
        check("of which one makes them an admin", project.status_code == 201)
        refused("the same answer again", browser, query, xml)

    query, browser = ask()
    xml = provider.answer(query, "mallory", ["millers"])
    refused("a name altered after signing", browser, query, xml.replace(b">mallory<", b">ada<"))
    refused("a group altered after signing", browser, query, xml.replace(b">millers<", b">masters<"))
    refused("only the response signed", browser, query, provider.answer(query, "ada", [], ("Response",)))
    refused("nothing signed", browser, query, provider.answer(query, "ada", [], ()))
    answer = provider.answer(query, "ada", [])
    refused("an answer that another browser brings", requests.Session(), query, answer)
    provider.files = make_key(directory)
    refused("another key", browser, query, provider.answer(query, "ada", []))
    print("All of it held." if failures == 0 else f"{failures} did not hold.")
    sys.exit(failures > 0)


with tempfile.TemporaryDirectory() as scratch:
    main(scratch)
