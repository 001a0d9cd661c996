"""Each row stops what it names, and lets pass what only shows or is as the service means it daily."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.features.command_guard import guard, packs, remote_effects
from jackline.shell.effects import effects

CWD, HOME = "/srv/shop", "/home/ada"

STOPS = {
    "cloud": """
        aws ec2 terminate-instances --instance-ids i-1 · aws s3 rm s3://b/x --recursive · aws s3 rb s3://b --force
        aws --profile prod rds delete-db-instance --db-instance-identifier x · aws s3 sync dist s3://b --delete
        aws cloudformation delete-stack --stack-name x · aws iam attach-user-policy --user-name x --policy-arn y
        aws kms schedule-key-deletion --key-id k · gcloud projects delete p · gcloud compute instances delete vm -q
        gcloud sql instances delete db · gsutil rm -r gs://b · az group delete -n x --yes · az vm delete -n x -g y
        gcloud projects add-iam-policy-binding p --member m --role r · az role assignment create --assignee x
        doctl compute droplet delete 1 · heroku apps:destroy x · heroku pg:reset --confirm x · flyctl apps destroy x
        terraform destroy · terraform apply -auto-approve · terraform state rm a.b · tofu destroy · pulumi destroy --yes
        terraform taint a.b · nmap -sS 203.0.113.0/24 · wrk -c 100 https://shop.example
        pulumi up --yes · terragrunt run-all destroy · terraform workspace delete x · terraform apply -destroy
        cdk destroy · sam delete · serverless remove · eksctl delete cluster x · ansible-playbook site.yml --become
        aws ecr batch-delete-image --repository-name x --image-ids imageTag=y · azcopy remove https://x.example/c
        azcopy sync ./a https://x.example/c --delete-destination=true · gsutil rsync -d gs://a gs://b · mc rb store/b
        mc mirror --remove a store/b · az storage blob delete-batch -s c · az acr repository untag --name r --image i
        rclone purge store:b · vault kv delete secret/x · vault secrets disable kv/ · doppler secrets delete KEY
        security delete-internet-password -s shop · gpg --delete-secret-keys ABCD · gio trash --empty · trash-empty 30
        systemd-run --on-calendar=daily x · loginctl enable-linger ada
        gopass delete shop/key
        arecord -d 10 a.wav · xattr -d com.apple.quarantine a.app · dpkg -i --force-all x.deb
        sudo aws s3 rb s3://b · bash -c 'terraform destroy' · env AWS_PROFILE=x aws s3 rm s3://b/x
    """,
    "kubernetes": """
        kubectl delete pod x · kubectl -n prod delete deploy web · kubectl drain node1 · kubectl replace -f x.yml
        kubectl scale deploy web --replicas=0 · kubectl scale deploy/web --replicas 0 · kubectl rollout undo deploy/web
        kubectl apply --prune -f k8s -l app=x · kubectl edit deploy web · kubectl patch svc x -p y · oc delete project x
        kubectl exec -it web-0 -- sh · helm uninstall web · helm rollback web 1 · helm delete web · kind delete cluster
        minikube delete · k3d cluster delete x · kubeadm reset · argocd app delete x · flux uninstall
        docker system prune -af · docker volume rm db · docker volume prune -f · docker compose down -v
        docker rm -f web · docker rm -fv db
        docker rmi -f app · docker swarm leave --force · podman rm -fa
    """,
    "databases": """
        psql -c 'DROP TABLE users' · psql app -c "drop database x" · psql -c 'TRUNCATE users'
        psql -c 'DELETE FROM users'
        mysql -e 'DROP DATABASE app' · sqlite3 app.db 'delete from users' · echo 'drop table x' | psql app
        psql -c 'UPDATE users SET admin = true' · docker exec db psql -U postgres -c 'DROP TABLE x'
        psql app <<< 'drop schema public cascade' · dropdb app · dropuser x · mysqladmin drop app · redis-cli FLUSHALL
        redis-cli -n 2 flushdb · mongosh app --eval 'db.dropDatabase()' · mongosh --eval 'db.users.deleteMany({})'
        pg_restore --clean -d app x.dump · mongorestore --drop dump · npx prisma migrate reset
        prisma db push --force-reset
        alembic downgrade base · rails db:drop · bundle exec rails db:reset · php artisan migrate:fresh --seed
        php artisan db:wipe · python manage.py flush --no-input · python manage.py migrate app zero · supabase db reset
        flyway clean · diesel database reset · sqlx database drop · mix ecto.reset · npx sequelize-cli db:drop
        etcdctl del --prefix x · clickhouse-client -q 'DROP TABLE x'
    """,
    "packages": """
        npm publish · pnpm publish -r · yarn npm publish · npm unpublish x --force · npm dist-tag add x@1 latest
        cargo publish · cargo yank --version 1.0.0 · twine upload dist/* · gem push x.gem · poetry publish --build
        uv publish · dotnet nuget push x.nupkg · mvn deploy · npx changeset publish · npx semantic-release
        apt-get remove nginx · sudo apt purge x · brew uninstall jq · pacman -Rns x · apk del git · dpkg -r x
        apt-get install -y nginx · brew install jq · pacman -S x · choco install x · dpkg -i x.deb
        npm install -g typescript · npm i --location=global x · pnpm add -g x · yarn global add x · pip install --user x
        pip install --break-system-packages x · cargo install ripgrep · go install example.com/x@latest · pipx install x
        pip install --index-url http://x.example/simple y · npm install --registry http://x.example z
    """,
    "ci": """
        gh repo delete x/y --yes · gh secret set X · gh variable delete X · gh release delete v1 · gh run delete 1
        gh workflow disable ci.yml · gh workflow run deploy.yml · gh run rerun 1 · gh pr merge 12 --squash
        gh release create v1 · gh api -X DELETE repos/x/y · gh api repos/x/y/issues -f title=x · gh pr close 12
        circleci context delete github x prod · circleci orb delete x/y
        gh auth logout · gh ssh-key add k.pub · glab mr merge 1 · glab variable set X · glab ci run
        vercel deploy --prod · vercel --prod · netlify deploy --prod · wrangler deploy · firebase deploy · vercel rm x
        gcloud builds submit · docker push x/y · skopeo copy a b · gitlab-runner unregister --all-runners
        kamal deploy · fastlane release · hg update --clean · hg revert --all --no-backup · hg purge · svn revert -R .
        svn cleanup --remove-unversioned · p4 revert ... · jj op abandon ..@- · npx husky uninstall · lefthook uninstall
    """,
}

PASSES = {
    "cloud": """
        azcopy list https://x.example/c · azcopy copy a https://x.example/c · gsutil rsync a gs://b · mc ls store/b
        mc mirror a store/b · rclone copy a store:b · vault kv list kv/y · vault status · doppler projects
        aws s3 ls · aws s3 cp a s3://b/a · aws ec2 describe-instances · aws sts get-caller-identity · aws logs tail x
        gcloud projects list · gcloud compute instances describe vm · gsutil ls gs://b · az group list · heroku logs
        doctl compute droplet list · terraform plan · terraform init · terraform apply · terraform state list
        terraform validate · pulumi preview · cdk diff · cdk synth · sam build · ansible-playbook site.yml --check
        grep -rn 'terraform destroy' docs · echo 'aws s3 rb' · git commit -m 'terraform destroy is gone'
    """,
    "kubernetes": """
        kubectl get pods · kubectl describe pod x · kubectl logs web-0 · kubectl apply -f k8s · kubectl top pods
        kubectl scale deploy web --replicas=3 · kubectl rollout status deploy/web · helm list · helm template x
        helm upgrade --install web chart · kind get clusters · minikube status · docker ps · docker compose up -d
        docker build -t x . · docker rm web · docker logs web · docker volume ls · docker images · argocd app list
        grep 'kubectl delete' README.md
    """,
    "databases": """
        psql -c 'select 1' · psql -c 'DELETE FROM users WHERE id = 1' · psql -c "UPDATE users SET a = 1 WHERE id = 2"
        mysql -e 'show tables' · sqlite3 app.db .schema · redis-cli get x · redis-cli ping · mysqladmin ping
        mongosh --eval 'db.users.find()' · pg_dump app · createdb app_test · pg_restore -l x.dump
        npx prisma generate · npx prisma migrate dev · alembic upgrade head · rails db:migrate · php artisan migrate
        python manage.py migrate · python manage.py makemigrations · flyway info · diesel migration run
        mix ecto.migrate · git log --grep 'DROP TABLE' · psql -c "select 'backdrop'" · npx sequelize-cli db:migrate
    """,
    "packages": """
        npm install · npm ci · npm view x version · npm pack · cargo build · cargo add serde · twine check dist/*
        gem list · poetry add x · uv sync · apt-get update · apt list --installed · brew list · pacman -Q · dpkg -l
        pip install -r requirements.txt · pip list · yarn add react · pnpm add -D vitest · go build ./... · go get x
    """,
    "ci": """
        gh pr view 12 · gh pr create --fill · gh pr checks · gh run list · gh run view 1 --log · gh api repos/x/y
        gh issue list · gh repo view · gh repo clone x/y · gh workflow list · gh release list · glab mr list
        glab ci status · vercel ls · vercel dev · netlify dev · wrangler dev · wrangler tail · firebase emulators:start
        circleci config validate · circleci orb list
        docker pull x · docker build . · gh api -X GET repos/x/y
    """,
}


def rows(table: dict[str, str]) -> list[tuple[str, str]]:
    return [
        (pack, command.strip())
        for pack, text in table.items()
        for line in text.strip().splitlines()
        for command in line.split(" · ")
    ]


def said(command: str, *chosen: str, preset: str = "standard", **knobs: Any) -> tuple[str, str]:
    found = effects(command, CWD, {"HOME": HOME, "TMPDIR": "/tmp"}, CWD)
    ground = guard.ground_of(CWD, CWD, HOME, {}, "/tmp")
    made = guard.rule_on(command, found, ground, {"packs": list(chosen), **knobs}, preset, "2031-05-05")
    return made.decision, made.rule


@pytest.mark.parametrize("pack", packs.NAMES)
def test_a_pack_stops_what_it_names(pack: str) -> None:
    wrong = [command for name, command in rows(STOPS) if name == pack and said(command, pack)[0] != "ask"]
    assert wrong == []


@pytest.mark.parametrize("pack", packs.NAMES)
def test_a_pack_lets_daily_work_pass(pack: str) -> None:
    wrong = [
        (command, said(command, pack))
        for name, command in rows(PASSES)
        if name == pack and said(command, pack)[0] != "allow"
    ]
    assert wrong == []


def test_without_packs_only_the_irreversible_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [command for _, command in rows(STOPS) if said(command)[0] == "ask"]
    assert "terraform destroy" in asked and "terraform taint a.b" not in asked
    monkeypatch.setattr(packs, "irreversible", lambda row: False)
    monkeypatch.setattr(remote_effects, "said", lambda *args: ("", ""))
    assert [command for command in asked if said(command)[0] == "ask"] == []


def test_what_is_asked_about_by_default_the_pack_asks_about_by_the_same_rule() -> None:
    """An allowance that a person wrote for a pack's rule holds as before."""
    for pack, command in rows(STOPS):
        by_default, by_choice = said(command), said(command, pack)
        assert by_default[0] == "allow" or by_default == by_choice, command


def test_an_allowance_for_a_packs_rule_covers_what_became_the_default() -> None:
    for rule, command in (
        ("cloud.infrastructure", "terraform destroy -auto-approve"),
        ("kubernetes.delete", "kubectl delete ns shop"),
        ("database.drop", "dropdb shop"),
        ("packages.publish", "npm publish"),
        ("volumes", "docker volume rm shop"),
    ):
        allowed = {"rule": rule, "command": command, "reason": "mine"}
        assert said(command)[0] == "ask"
        assert said(command, allow=[allowed])[0] == "allow", command
        assert said(command, "cloud", "databases", "packages", allow=[allowed])[0] == "allow", command


def test_every_row_of_every_pack_is_met() -> None:
    for pack in packs.NAMES:
        met = {said(command, pack)[1] for name, command in rows(STOPS) if name == pack}
        assert {row.id for row, _ in packs.rules(pack)} - met <= UNMET, pack


UNMET = {"cloud.access", "ci.runner"}
"""Rules beside which another of the pack, named first, speaks on their examples."""


def test_paranoid_refuses_what_a_pack_names() -> None:
    assert said("kubectl delete pod x", "kubernetes", preset="paranoid")[0] == "deny"
